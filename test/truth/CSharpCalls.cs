using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

// CSharpCalls.exe REPO LIBRARIES SYMBOLS FOLDER...: the calls of C# code as Roslyn binds them, as JSON lines {caller, callee, kind} of
// "file:line:name". LIBRARIES are folders with what the code refers to, SYMBOLS the preprocessor's, both with commas between them.
//
// A call counts to the outermost method around it; calls outside methods are left out. An attribute is a call of its constructor. Code that does not compile for want of a library is read
// as well: methods all of whose calls are bound are said with the kind "compiled", the calls of others are left out.
public static class CSharpCalls {
  static string repo;
  static readonly HashSet<string> unbound = new HashSet<string>();
  static readonly List<string[]> pairs = new List<string[]>();
  static readonly HashSet<string> methods = new HashSet<string>();

  public static void Main(string[] args) {
    repo = args[0].TrimEnd('/') + "/";
    var options = new CSharpParseOptions(LanguageVersion.Preview, preprocessorSymbols: args[2].Split(','));
    var trees = args.Skip(3).SelectMany(f => Directory.GetFiles(repo + f, "*.cs", SearchOption.AllDirectories)).Distinct()
      .Where(f => !f.Contains("/obj/") && !f.Contains("/bin/"))
      .Select(f => CSharpSyntaxTree.ParseText(SourceText.From(File.ReadAllText(f)), options, f)).ToList();
    var libraries = args[1].Split(',').SelectMany(f => Directory.GetFiles(f, "*.dll")).Select(f => (MetadataReference)MetadataReference.CreateFromFile(f));
    var compilation = CSharpCompilation.Create("calls", trees, libraries, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    foreach (var tree in trees) {
      Read(compilation.GetSemanticModel(tree), tree.GetRoot());
    }
    var lines = methods.Except(unbound).Select(m => Line(m, m, "compiled")).Concat(pairs.Where(p => !unbound.Contains(p[0])).Select(p => Line(p[0], p[1], p[2])));
    foreach (var line in lines.Distinct()) {
      Console.WriteLine(line);
    }
    Console.Error.WriteLine("{0} of {1} methods with all calls bound, {2} files", methods.Except(unbound).Count(), methods.Count, trees.Count);
  }

  static string Line(string from, string to, string kind) {
    return "{\"caller\":\"" + from + "\",\"callee\":\"" + to + "\",\"kind\":\"" + kind + "\"}";
  }

  static void Read(SemanticModel model, SyntaxNode root) {
    foreach (var node in root.DescendantNodes()) {
      if (Outermost(node) == node && HasBody(node)) {
        methods.Add(Place(node));
      }
      var kind = Kind(node);
      var method = kind == null ? null : Outermost(node);
      if (method == null || method == node) {
        continue;
      }
      var from = Place(method);
      var symbol = model.GetSymbolInfo(node).Symbol;
      if (symbol == null) {
        if (kind != "attribute" && !IsDynamic(model, node)) {
          unbound.Add(from);
        }
        continue;
      }
      var to = Target(symbol as IMethodSymbol);
      if (to != null) {
        pairs.Add(new[] { from, to, kind });
      }
    }
  }

  // Whether a method has a body in this build.
  static bool HasBody(SyntaxNode node) {
    var method = node as BaseMethodDeclarationSyntax;
    return method == null || method.Body != null || method.ExpressionBody != null;
  }

  static string Kind(SyntaxNode node) {
    switch (node.Kind()) {
      case SyntaxKind.InvocationExpression: return "static";
      case SyntaxKind.ObjectCreationExpression: return "new";
      case SyntaxKind.ImplicitObjectCreationExpression: return "new";
      case SyntaxKind.BaseConstructorInitializer: return "delegation";
      case SyntaxKind.ThisConstructorInitializer: return "delegation";
      case SyntaxKind.Attribute: return "attribute";
    }
    return null;
  }

  // What has no symbol though nothing is wrong: nameof, calls on dynamic values, and new of a type parameter.
  static bool IsDynamic(SemanticModel model, SyntaxNode node) {
    var call = node as InvocationExpressionSyntax;
    if (call == null) {
      var type = model.GetTypeInfo(node).Type;
      return type != null && type.TypeKind == TypeKind.TypeParameter;
    }
    return call.Expression.ToString() == "nameof" || model.GetTypeInfo(call).Type?.TypeKind == TypeKind.Dynamic;
  }

  // The outermost method, constructor, operator or local function around a node or at it.
  static SyntaxNode Outermost(SyntaxNode node) {
    return node.AncestorsAndSelf().LastOrDefault(n => n is BaseMethodDeclarationSyntax || n is LocalFunctionStatementSyntax);
  }

  // Where a callee is declared; a constructor that is not written is its class; null for what is not in the files.
  static string Target(IMethodSymbol method) {
    if (method == null || method.MethodKind == MethodKind.DelegateInvoke) {
      return null;
    }
    method = (method.ReducedFrom ?? method).OriginalDefinition;
    ISymbol symbol = method;
    if (method.PartialImplementationPart != null) {
      symbol = method.PartialImplementationPart;
    } else if (method.MethodKind == MethodKind.Constructor && method.IsImplicitlyDeclared) {
      symbol = method.ContainingType.OriginalDefinition;
    }
    var reference = symbol.DeclaringSyntaxReferences.FirstOrDefault();
    if (reference == null) {
      return null;
    }
    var node = reference.GetSyntax();
    return Place(Outermost(node) ?? node);
  }

  static string Place(SyntaxNode node) {
    var name = Name(node);
    var line = name.GetLocation().GetLineSpan();
    var file = line.Path.StartsWith(repo) ? line.Path.Substring(repo.Length) : line.Path;
    return file + ":" + (line.StartLinePosition.Line + 1) + ":" + name.Text;
  }

  static SyntaxToken Name(SyntaxNode node) {
    return (node as MethodDeclarationSyntax)?.Identifier ?? (node as ConstructorDeclarationSyntax)?.Identifier
      ?? (node as DestructorDeclarationSyntax)?.Identifier ?? (node as OperatorDeclarationSyntax)?.OperatorToken
      ?? (node as ConversionOperatorDeclarationSyntax)?.OperatorKeyword ?? (node as LocalFunctionStatementSyntax)?.Identifier
      ?? (node as BaseTypeDeclarationSyntax)?.Identifier ?? node.GetFirstToken();
  }
}
