import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.jacoco.core.runtime.RuntimeData;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Notes which tests of JUnit 4 enter methods of some sources, by the coverage of JaCoCo.
 *
 * <p>The arguments are the file for the result, the folder of the classes under test, that of the tests, a list of sources as
 * "com/example/A.java", separated by commas, and a file with the names of the test classes. A line of the result is "1 class
 * method" for a test that enters them, and "0 class method" for another.
 */
public final class Entered extends RunListener {
  private static final RuntimeData data = new RuntimeData();

  private final PrintStream result;
  private final Path classes;
  private final Set<String> sources;
  private boolean skipped;

  private Entered(PrintStream result, Path classes, Set<String> sources) {
    this.result = result;
    this.classes = classes;
    this.sources = sources;
  }

  public static void main(String[] args) throws Exception {
    try (PrintStream result = new PrintStream(args[0])) {
      Entered listener = new Entered(result, Path.of(args[1]), Set.of(args[3].split(",")));
      listener.run(Path.of(args[2]), Files.readAllLines(Path.of(args[4])));
    }
    System.exit(0); // tests may leave threads behind
  }

  private void run(Path tests, List<String> names) throws Exception {
    ClassLoader loader = new Loader(new URL[] {classes.toUri().toURL(), tests.toUri().toURL()}, new Instrumenter(new Caller()));
    Thread.currentThread().setContextClassLoader(loader);
    JUnitCore core = new JUnitCore();
    core.addListener(this);
    for (String name : names) {
      try {
        core.run(Class.forName(name, true, loader));
      } catch (Throwable e) { // a class that cannot be loaded has no tests
        System.err.println(name + ": " + e);
      }
    }
  }

  /** Returns the probes of a class; the classes under test call it. */
  public static boolean[] probes(long id, String name, int count) {
    return data.getExecutionData(id, name, count).getProbes();
  }

  /** Writes that call: what JaCoCo has for this purpose hangs on the log, which tests change. */
  private static final class Caller implements IExecutionDataAccessorGenerator {
    @Override
    public int generateDataAccessor(long id, String name, int count, MethodVisitor to) {
      to.visitLdcInsn(id);
      to.visitLdcInsn(name);
      to.visitLdcInsn(count);
      to.visitMethodInsn(Opcodes.INVOKESTATIC, "Entered", "probes", "(JLjava/lang/String;I)[Z", false);
      return 4; // the words on the stack
    }
  }

  /** Loads the classes under test with probes. */
  private final class Loader extends URLClassLoader {
    private final Instrumenter instrumenter;

    Loader(URL[] folders, Instrumenter instrumenter) {
      super(folders);
      this.instrumenter = instrumenter;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      Path file = classes.resolve(name.replace('.', '/') + ".class");
      if (!Files.exists(file)) {
        return super.findClass(name);
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] text = instrumenter.instrument(in, name);
        return defineClass(name, text, 0, text.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Override
  public void testStarted(Description test) {
    skipped = false;
  }

  @Override
  public void testAssumptionFailure(Failure failure) {
    skipped = true;
  }

  @Override
  public void testFinished(Description test) throws IOException {
    boolean enters = enters(); // since the end of the test before, so with its constructor
    if (!skipped) {
      result.println((enters ? 1 : 0) + " " + test.getClassName() + " " + test.getMethodName());
    }
  }

  private boolean enters() throws IOException {
    ExecutionDataStore run = new ExecutionDataStore();
    data.collect(run, new SessionInfoStore(), false);
    try {
      return entered(run);
    } finally {
      data.reset(); // run shares its arrays
    }
  }

  private boolean entered(ExecutionDataStore run) throws IOException {
    for (ExecutionData of : run.getContents()) {
      if (of.hasHits() && entered(run, classes.resolve(of.getName() + ".class"))) {
        return true;
      }
    }
    return false;
  }

  /** Reports whether a method of a class ran, if it is of the sources. What runs when a class is loaded does not count. */
  private boolean entered(ExecutionDataStore run, Path file) throws IOException {
    CoverageBuilder found = new CoverageBuilder();
    try (InputStream in = Files.newInputStream(file)) {
      new Analyzer(run, found).analyzeClass(in, file.toString());
    }
    for (IClassCoverage c : found.getClasses()) {
      if (sources.contains(c.getPackageName() + "/" + c.getSourceFileName())
          && c.getMethods().stream().anyMatch(m -> !m.getName().equals("<clinit>") && m.getInstructionCounter().getCoveredCount() > 0)) {
        return true;
      }
    }
    return false;
  }
}
