@file:OptIn(ExperimentalCompilerApi::class, SymbolInternals::class)

package truth

import java.io.File
import java.io.PrintStream
import org.jetbrains.kotlin.KtRealSourceElementKind
import org.jetbrains.kotlin.KtSourceElement
import org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar
import org.jetbrains.kotlin.compiler.plugin.ExperimentalCompilerApi
import org.jetbrains.kotlin.config.CompilerConfiguration
import org.jetbrains.kotlin.diagnostics.DiagnosticReporter
import org.jetbrains.kotlin.fir.FirSession
import org.jetbrains.kotlin.fir.analysis.checkers.MppCheckerKind
import org.jetbrains.kotlin.fir.analysis.checkers.context.CheckerContext
import org.jetbrains.kotlin.fir.analysis.checkers.declaration.DeclarationCheckers
import org.jetbrains.kotlin.fir.analysis.checkers.declaration.FirFunctionChecker
import org.jetbrains.kotlin.fir.analysis.checkers.expression.ExpressionCheckers
import org.jetbrains.kotlin.fir.analysis.checkers.expression.FirCallChecker
import org.jetbrains.kotlin.fir.analysis.extensions.FirAdditionalCheckersExtension
import org.jetbrains.kotlin.fir.analysis.getChild
import org.jetbrains.kotlin.fir.declarations.FirConstructor
import org.jetbrains.kotlin.fir.declarations.FirFile
import org.jetbrains.kotlin.fir.declarations.FirFunction
import org.jetbrains.kotlin.fir.declarations.FirNamedFunction
import org.jetbrains.kotlin.fir.expressions.FirCall
import org.jetbrains.kotlin.fir.expressions.FirDelegatedConstructorCall
import org.jetbrains.kotlin.fir.expressions.FirFunctionCall
import org.jetbrains.kotlin.fir.expressions.FirResolvable
import org.jetbrains.kotlin.fir.expressions.FirFunctionCallOrigin
import org.jetbrains.kotlin.fir.expressions.FirImplicitInvokeCall
import org.jetbrains.kotlin.fir.extensions.FirExtensionRegistrar
import org.jetbrains.kotlin.fir.extensions.FirExtensionRegistrarAdapter
import org.jetbrains.kotlin.fir.moduleData
import org.jetbrains.kotlin.fir.references.toResolvedCallableSymbol
import org.jetbrains.kotlin.fir.resolve.providers.firProvider
import org.jetbrains.kotlin.fir.scopes.impl.typeAliasConstructorInfo
import org.jetbrains.kotlin.fir.symbols.SymbolInternals
import org.jetbrains.kotlin.fir.symbols.impl.FirCallableSymbol
import org.jetbrains.kotlin.fir.symbols.impl.FirConstructorSymbol
import org.jetbrains.kotlin.fir.unwrapFakeOverridesOrDelegated
import org.jetbrains.kotlin.lexer.KtTokens

/**
 * A plugin of kotlinc that writes the calls that the compiler binds, as JSON lines {caller, callee, kind}, "file:line:name" with paths
 * below the folder of the property calls.repo, to the file of the property calls.out.
 *
 * It reads what the frontend has resolved, so that code with errors, for want of a library, is read as well. A call counts to the
 * outermost function around it. Functions all of whose calls are bound are said with the kind "compiled"; the calls of others are left out.
 */
class Registrar : CompilerPluginRegistrar() {
  override val pluginId get() = "truth.calls"
  override val supportsK2 get() = true

  override fun ExtensionStorage.registerExtensions(configuration: CompilerConfiguration) {
    val calls = Calls(File(System.getProperty("calls.repo")).canonicalFile)
    Runtime.getRuntime().addShutdownHook(Thread { calls.write(File(System.getProperty("calls.out"))) })
    FirExtensionRegistrarAdapter.registerExtension(object : FirExtensionRegistrar() {
      override fun ExtensionRegistrarContext.configurePlugin() {
        +{ session: FirSession -> Checkers(session, calls) }
      }
    })
  }
}

private class Checkers(session: FirSession, calls: Calls) : FirAdditionalCheckersExtension(session) {
  override val declarationCheckers = object : DeclarationCheckers() {
    override val functionCheckers = setOf(object : FirFunctionChecker(MppCheckerKind.Common) {
      context(context: CheckerContext, reporter: DiagnosticReporter)
      override fun check(declaration: FirFunction) = calls.declared(declaration, context)
    })
  }
  override val expressionCheckers = object : ExpressionCheckers() {
    override val callCheckers = setOf(object : FirCallChecker(MppCheckerKind.Common) {
      context(context: CheckerContext, reporter: DiagnosticReporter)
      override fun check(expression: FirCall) = calls.called(expression, context)
    })
  }
}

private data class Place(val file: String, val line: Int, val name: String) {
  override fun toString() = "$file:$line:$name"
}

private class Function(val place: Place, val start: Int, val end: Int) {
  var unbound = false
}

private class Call(val file: String, val offset: Int, val to: Place?, val toOffset: Int, val kind: String)

private class Calls(val repo: File) {
  private val functions = HashMap<String, MutableList<Function>>()
  private val calls = ArrayList<Call>()

  fun declared(f: FirFunction, context: CheckerContext) {
    val file = context.containingFileSymbol?.fir ?: return
    val source = f.source ?: return
    if (source.kind !is KtRealSourceElementKind || f !is FirNamedFunction && (f !is FirConstructor || f.isPrimary)) return
    val place = place(file, source, (f as? FirNamedFunction)?.name?.asString() ?: "constructor") ?: return
    functions.getOrPut(place.file) { ArrayList() }.add(Function(place, source.startOffset, source.endOffset))
  }

  fun called(call: FirCall, context: CheckerContext) {
    val source = call.source ?: return
    val file = context.containingFileSymbol?.fir?.let(::path) ?: return
    if (call !is FirFunctionCall && call !is FirDelegatedConstructorCall) return
    val symbol = (call as FirResolvable).calleeReference.toResolvedCallableSymbol()
    val kind = when {
      source.kind !is KtRealSourceElementKind -> if (symbol == null) "" else return
      call is FirDelegatedConstructorCall -> "delegation"
      call is FirImplicitInvokeCall -> "invoke"
      call is FirFunctionCall && call.origin == FirFunctionCallOrigin.Operator -> if (symbol == null) "" else return
      else -> "static"
    }
    if (symbol == null) {
      calls.add(Call(file, source.startOffset, null, 0, kind))
      return
    }
    val (place, offset) = target(symbol) ?: return
    calls.add(Call(file, source.startOffset, place, offset, kind))
  }

  /** Where a callee is declared; a constructor without the keyword is its class; null for what is not in the files. */
  private fun target(called: FirCallableSymbol<*>): Pair<Place, Int>? {
    var symbol = called
    if (symbol is FirConstructorSymbol) symbol = symbol.typeAliasConstructorInfo?.originalConstructor?.symbol ?: symbol
    symbol = symbol.unwrapFakeOverridesOrDelegated()
    val provider = symbol.moduleData.session.firProvider
    val file = provider.getFirCallableContainerFile(symbol) ?: return null
    var source = symbol.source ?: return null
    var name = symbol.name.asString()
    if (symbol is FirConstructorSymbol) {
      val type = provider.getContainingClass(symbol) ?: return null
      name = type.name.asString()
      if (source.getChild(KtTokens.CONSTRUCTOR_KEYWORD, depth = 1) == null) source = type.source ?: return null
    }
    if (source.kind !is KtRealSourceElementKind) return null
    return Pair(place(file, source, name) ?: return null, source.startOffset)
  }

  private fun path(file: FirFile): String? =
    file.sourceFile?.path?.let { File(it).canonicalFile.relativeToOrNull(repo)?.path }

  /** The place of a declaration, with the line of its name or, of a secondary constructor, its keyword. */
  private fun place(file: FirFile, source: KtSourceElement, name: String): Place? {
    val at = source.getChild(KtTokens.IDENTIFIER, depth = 1) ?: source.getChild(KtTokens.CONSTRUCTOR_KEYWORD, depth = 1) ?: source
    val line = file.sourceFileLinesMapping?.getLineByOffset(at.startOffset) ?: return null
    return Place(path(file) ?: return null, line + 1, name)
  }

  /** The outermost function around an offset. */
  private fun around(file: String, offset: Int): Function? =
    functions[file]?.filter { it.start <= offset && offset < it.end }?.minByOrNull { it.start }

  fun write(to: File) = PrintStream(to).use { out ->
    calls.filter { it.to == null }.forEach { around(it.file, it.offset)?.unbound = true }
    val bound = functions.flatMap { (file, list) -> list.filter { around(file, it.start) === it && !it.unbound } }
    val lines = LinkedHashSet<String>()
    bound.forEach { lines.add(line(it.place, it.place, "compiled")) }
    for (call in calls) {
      val from = around(call.file, call.offset)
      if (from == null || from.unbound || call.to == null) continue
      lines.add(line(from.place, around(call.to.file, call.toOffset)?.place ?: call.to, call.kind))
    }
    lines.forEach(out::println)
    val outermost = functions.entries.sumOf { (file, list) -> list.count { around(file, it.start) === it } }
    System.err.println("${bound.size} of $outermost functions with all calls bound, ${calls.size} calls, ${calls.count { it.to == null }} of them not bound")
  }

  private fun line(from: Place, to: Place, kind: String) = "{\"caller\":\"$from\",\"callee\":\"$to\",\"kind\":\"$kind\"}"
}
