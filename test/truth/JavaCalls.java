import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.util.ElementFilter;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The caller -> callee pairs of Java code as javac binds them, as JSON lines of "file:line:name".
 *
 * <pre>java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED JavaCalls.java REPO CLASSPATH SRC_DIR...</pre>
 *
 * A call counts to the outermost method around it; calls outside methods are left out. What javac cannot bind, since a library is missing, is left
 * out; how much that is goes to stderr.
 */
public class JavaCalls {
  private final Path repo;
  private final Trees trees;
  private final Map<String, String> pairs = new LinkedHashMap<>();
  private int unbound;

  private JavaCalls(Path repo, Trees trees) {
    this.repo = repo;
    this.trees = trees;
  }

  public static void main(String[] args) throws IOException {
    Path repo = Path.of(args[0]).toRealPath();
    List<String> files = new ArrayList<>();
    for (int i = 2; i < args.length; i++) {
      try (Stream<Path> walk = Files.walk(repo.resolve(args[i]))) {
        walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).forEach(p -> files.add(p.toString()));
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    List<String> options = List.of("-proc:none", "-Xlint:none", "-cp", args[1], "-XDshould-stop.ifError=FLOW");
    JavacTask task = (JavacTask) compiler.getTask(null, manager, new DiagnosticCollector<JavaFileObject>(), options, null,
        manager.getJavaFileObjectsFromStrings(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    JavaCalls calls = new JavaCalls(repo, Trees.instance(task));
    units.forEach(calls::read);
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    calls.pairs.values().forEach(out::println);
    out.flush();
    System.err.println(calls.pairs.size() + " pairs; calls that are not bound: " + calls.unbound);
  }

  private void read(CompilationUnitTree unit) {
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void v) {
        note(getCurrentPath(), -1);
        return super.visitMethodInvocation(call, v);
      }

      @Override
      public Void visitNewClass(NewClassTree call, Void v) {
        note(getCurrentPath(), call.getClassBody() == null ? -1 : call.getArguments().size());
        return super.visitNewClass(call, v);
      }
    }.scan(unit, null);
  }

  /** Notes a call; of a class without a name, made with so many arguments, it is its base's constructor. */
  private void note(TreePath call, int anonymous) {
    if (trees.getSourcePositions().getEndPosition(call.getCompilationUnit(), call.getLeaf()) < 0) {
      return; // super() that nobody wrote
    }
    Element callee;
    try {
      callee = trees.getElement(call);
    } catch (RuntimeException e) { // javac's own, of broken types
      callee = null;
    }
    if (callee != null && anonymous >= 0) {
      callee = base(callee.getEnclosingElement(), anonymous);
    }
    if (callee == null || callee.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) {
      unbound++;
      return;
    }
    String to = place(callee);
    String from = caller(call);
    if (to != null && from != null) {
      pairs.putIfAbsent(from + " " + to, "{\"caller\":\"" + from + "\",\"callee\":\"" + to + "\",\"kind\":\"static\"}");
    }
  }

  private static Element base(Element type, int arguments) {
    if (!(type instanceof TypeElement t)) {
      return null;
    }
    var base = t.getInterfaces().isEmpty() ? t.getSuperclass() : t.getInterfaces().get(0);
    if (!(base instanceof DeclaredType declared)) {
      return null;
    }
    for (ExecutableElement c : ElementFilter.constructorsIn(declared.asElement().getEnclosedElements())) {
      if (c.getParameters().size() == arguments) {
        return c;
      }
    }
    return declared.asElement();
  }

  /** Where an element is declared; a constructor that is not written is its class; null for what is not in the files. */
  private String place(Element e) {
    if (e.getKind() != ElementKind.METHOD && e.getKind() != ElementKind.CONSTRUCTOR && !(e instanceof TypeElement)) {
      return null;
    }
    TreePath path = trees.getPath(e);
    if (path == null) {
      return null;
    }
    var unit = path.getCompilationUnit();
    if (path.getLeaf() instanceof MethodTree m && trees.getSourcePositions().getEndPosition(unit, m) < 0) {
      path = path.getParentPath();
    }
    return place(path);
  }

  private String place(TreePath path) {
    Tree tree = path.getLeaf();
    var unit = path.getCompilationUnit();
    String name = tree instanceof MethodTree m ? m.getName().toString() : ((ClassTree) tree).getSimpleName().toString();
    if (name.equals("<init>")) {
      name = ((ClassTree) path.getParentPath().getLeaf()).getSimpleName().toString();
    }
    long line = unit.getLineMap().getLineNumber(((com.sun.tools.javac.tree.JCTree) tree).pos);
    try {
      return repo.relativize(Path.of(unit.getSourceFile().toUri()).toRealPath()) + ":" + line + ":" + name;
    } catch (IOException e) {
      return null;
    }
  }

  /** The outermost method around a call; null for one outside methods. */
  private String caller(TreePath call) {
    TreePath method = null;
    for (TreePath p = call; p != null; p = p.getParentPath()) {
      if (p.getLeaf() instanceof MethodTree) {
        method = p;
      }
    }
    return method == null ? null : place(method);
  }
}
