// cppcalls ROOT PART... -- FLAGS...: the calls in C++ code as clang resolves them, templates as they are instantiated.
//
// Writes a line of JSON for each pair of caller and callee: {"caller", "callee", "kind", "site"}, a function being
// "file:line:name" below ROOT with the line of its name, where it is defined, or else declared. Each C++ file below the
// parts is read by itself with the flags; one that clang reports an error for is said and left out. Calls count to the
// outermost function around them. Kinds: "call", "virtual" (through a virtual method, as the method that is named), "construct"
// (a constructor with arguments that are written; one that nobody wrote is its class) and "base" (an initialiser of a constructor).
// Operators, conversions, destructors and what the compiler adds are left out. A function whose body was read, of a template when
// it was instantiated, has a line of the kind "compiled" with itself.
//
// Built with the headers and libraries of Debian's libclang-14-dev and llvm-14-dev: -lclang-cpp -lLLVM-14.

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Index/USRGeneration.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace fs = std::filesystem;
using namespace clang;

static std::string root;                        // with a slash at its end
static std::map<std::string, std::string> defined;  // the place of a definition, by USR
static std::map<std::string, std::string> declared; // of a declaration
using Row = std::tuple<std::string, std::string, std::string, std::string>;  // USR, USR, kind, site
static std::set<Row> rows;

class Reader : public RecursiveASTVisitor<Reader> {
 public:
  explicit Reader(ASTContext &context) : context(context), sources(context.getSourceManager()) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *d) {
    auto *f = d ? dyn_cast<FunctionDecl>(d) : nullptr;
    if (!f || !f->isThisDeclarationADefinition() || caller) {
      return RecursiveASTVisitor::TraverseDecl(d);
    }
    caller = f;
    from = note(f);
    bool whole = !f->isDependentContext();
    if (!from.empty() && whole) {
      rows.insert({from, from, "compiled", ""});
    }
    silent = !whole;  // the instantiations say what it calls
    bool more = RecursiveASTVisitor::TraverseDecl(d);
    caller = nullptr;
    from.clear();
    return more;
  }

  bool VisitCallExpr(CallExpr *call) {
    if (isa<CXXOperatorCallExpr>(call) || isa<UserDefinedLiteral>(call)) {
      return true;
    }
    auto *callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    if (!callee || isa<CXXDestructorDecl>(callee) || isa<CXXConversionDecl>(callee) || callee->isImplicit()) {
      return true;
    }
    auto *method = dyn_cast<CXXMethodDecl>(callee);
    add(callee, method && method->isVirtual() ? "virtual" : "call", call->getExprLoc());
    return true;
  }

  bool VisitCXXNewExpr(CXXNewExpr *made) {
    if (auto *construct = made->getConstructExpr()) {
      constructed(construct, made->getBeginLoc());
    }
    return true;
  }

  bool VisitCXXTemporaryObjectExpr(CXXTemporaryObjectExpr *made) {
    constructed(made, made->getBeginLoc());
    return true;
  }

  bool VisitCXXFunctionalCastExpr(CXXFunctionalCastExpr *cast) {
    if (auto *construct = dyn_cast<CXXConstructExpr>(cast->getSubExpr()->IgnoreImplicit())) {
      constructed(construct, cast->getBeginLoc());
    }
    return true;
  }

  bool VisitVarDecl(VarDecl *v) {
    if (v->hasInit() && v->getInitStyle() != VarDecl::CInit) {
      auto *made = dyn_cast<CXXConstructExpr>(v->getInit()->IgnoreImplicit());
      if (made && made->getNumArgs() > 0 && !isa<CXXDefaultArgExpr>(made->getArg(0)) && made->getParenOrBraceRange().isValid()) {
        constructed(made, v->getLocation());
      }
    }
    return true;
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *init) {
    if (init->isWritten()) {
      if (auto *made = dyn_cast_or_null<CXXConstructExpr>(init->getInit() ? init->getInit()->IgnoreImplicit() : nullptr)) {
        add(constructor(made), "base", init->getSourceLocation());
      }
    }
    return RecursiveASTVisitor::TraverseConstructorInitializer(init);
  }

 private:
  ASTContext &context;
  SourceManager &sources;
  FunctionDecl *caller = nullptr;
  std::string from;
  bool silent = false;

  // The constructor, or the class if the compiler wrote it.
  static const NamedDecl *constructor(const CXXConstructExpr *made) {
    const CXXConstructorDecl *c = made->getConstructor();
    if (c->isImplicit() || c->isDefaulted()) {
      return c->getParent();
    }
    return c;
  }

  void constructed(const CXXConstructExpr *made, SourceLocation at) { add(constructor(made), "construct", at); }

  void add(const NamedDecl *callee, const char *kind, SourceLocation at) {
    if (from.empty() || silent) {
      return;
    }
    std::string to = note(callee);
    if (!to.empty()) {
      rows.insert({from, to, kind, place(at, "")});
    }
  }

  // Notes where a function or class is, and returns its USR; "" for what lies outside the project.
  std::string note(const NamedDecl *d) {
    if (auto *f = dyn_cast<FunctionDecl>(d)) {
      if (auto *pattern = f->getTemplateInstantiationPattern()) {
        d = f = pattern;
      }
      if (auto *inherited = dyn_cast<CXXConstructorDecl>(f); inherited && inherited->getInheritedConstructor()) {
        d = f = inherited->getInheritedConstructor().getConstructor();
      }
    } else if (auto *c = dyn_cast<CXXRecordDecl>(d)) {
      if (auto *pattern = c->getTemplateInstantiationPattern()) {
        d = pattern;
      }
    }
    llvm::SmallString<128> usr;
    if (index::generateUSRForDecl(d, usr)) {
      return "";
    }
    const FunctionDecl *body = nullptr;
    const NamedDecl *shown = d;
    bool found = false;
    if (auto *f = dyn_cast<FunctionDecl>(d)) {
      found = f->isDefined(body) && body;
      if (found) {
        shown = body;
      }
    } else if (auto *c = dyn_cast<CXXRecordDecl>(d); c && c->getDefinition()) {
      shown = c->getDefinition();
      found = true;
    }
    std::string at = place(shown->getLocation(), shown->getNameAsString());
    if (!at.empty()) {
      (found ? defined : declared).emplace(usr.str().str(), at);
    }
    return usr.str().str();
  }

  std::string place(SourceLocation at, const std::string &name) {
    PresumedLoc where = sources.getPresumedLoc(sources.getExpansionLoc(at), false);
    if (where.isInvalid()) {
      return "";
    }
    char real[PATH_MAX];
    if (!realpath(where.getFilename(), real)) {
      return "";
    }
    std::string file = real;
    if (file.compare(0, root.size(), root) != 0) {
      return "";
    }
    return file.substr(root.size()) + ":" + std::to_string(where.getLine()) + ":" + name;
  }
};

class Consumer : public ASTConsumer {
 public:
  void HandleTranslationUnit(ASTContext &context) override {
    if (context.getDiagnostics().hasErrorOccurred()) {
      auto &sources = context.getSourceManager();
      llvm::errs() << "not compiled: " << sources.getFileEntryForID(sources.getMainFileID())->getName() << "\n";
      return;
    }
    Reader(context).TraverseDecl(context.getTranslationUnitDecl());
  }
};

class Action : public ASTFrontendAction {
 public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override { return std::make_unique<Consumer>(); }
};

static std::string inQuotes(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out + "\"";
}

static std::string placed(const std::string &usr) {
  for (auto *known : {&defined, &declared}) {
    auto found = known->find(usr);
    if (found != known->end()) {
      return found->second;
    }
  }
  return "";
}

int main(int count, const char **args) {
  root = fs::canonical(args[1]).string() + "/";
  std::vector<std::string> files, flags;
  bool flag = false;
  for (int i = 2; i < count; i++) {
    if (std::string(args[i]) == "--" || flag) {
      if (flag) {
        flags.push_back(args[i]);
      }
      flag = true;
      continue;
    }
    for (auto &entry : fs::recursive_directory_iterator(root + args[i])) {
      std::string kind = entry.path().extension().string();
      if (kind == ".cc" || kind == ".cpp" || kind == ".cxx") {
        files.push_back(fs::canonical(entry.path()).string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  tooling::FixedCompilationDatabase flagged(root, flags);
  for (auto &file : files) {
    tooling::ClangTool tool(flagged, {file});
    IgnoringDiagConsumer silent;
    tool.setDiagnosticConsumer(&silent);
    tool.run(tooling::newFrontendActionFactory<Action>().get());
  }
  std::set<std::string> lines;
  for (auto &[caller, callee, kind, site] : rows) {
    std::string a = placed(caller), b = placed(callee);
    if (!a.empty() && !b.empty() && (a != b || kind == "compiled")) {
      lines.insert("{\"caller\":" + inQuotes(a) + ",\"callee\":" + inQuotes(b) + ",\"kind\":" + inQuotes(kind) + ",\"site\":" + inQuotes(site) + "}");
    }
  }
  for (auto &line : lines) {
    llvm::outs() << line << "\n";
  }
}
