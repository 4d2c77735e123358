# frozen_string_literal: true

# rubycalls.rb REPOSITORY FOLDER...: the calls in Ruby code that its own tests run.
#
# Each file of tests below spec and test is run by itself, with RSpec or by loading it (minitest, test-unit), while TracePoint
# notes what the code in the folders calls. A line of JSON for each pair of caller and callee: {"caller", "callee", "kind",
# "site"}, a function being "file:line:name" with the line of its name; what is nested in a function counts to the outermost one.
#
# Kinds: "call", whose name is in the caller's text; "new", which reaches the constructor, or the class if there is none;
# "symbol" (map(&:name)); "operator"; "implicit", what the language or a library's method calls (each, to_s in a string) or send.
# "overrides" are the methods that the callee overrides, or the other bodies of a class. A method of the tests that overrides one of
# the folders is "tests:0:name", of the kind "outside".
# A line of the kind "ran" has for callee "ran:line:names": these names were called at that line of the caller's file.

require 'json'
require 'tempfile'

# Source knows the functions of a file and the names that they call.
class Source
  ATTRIBUTES = %i[attr attr_reader attr_writer attr_accessor].freeze
  Function = Struct.new(:first, :last, :name, :names, :symbols)

  attr_reader :functions, :declared, :types

  def initialize(path)
    @functions = []
    @types = [] # [full name, line]
    @declared = {} # names of functions and attributes by line
    @attributes = [] # [first, last, name, line]
    walk(RubyVM::AbstractSyntaxTree.parse_file(path), nil, [])
  end

  def around(line)
    @functions.find { |f| line.between?(f.first, f.last) }
  end

  # The line that declares what Ruby says is defined at a line; nil if that is made at run time.
  def declares(line, name)
    found = @attributes.find { |first, last, n, _| line.between?(first, last) && n == name }
    return found[3] if found

    line if @declared[line]
  end

  private

  def walk(node, function, inside)
    return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

    function = opened(node, function) || function
    note(node, function)
    inside = typed(node, inside)
    node.children.each { |c| walk(c, function, inside) }
  end

  # The path of the type that a node opens, or of that around it.
  def typed(node, inside)
    case node.type
    when :CLASS, :MODULE then name = path(node.children[0])
    when :CDECL then name = node.children[0].is_a?(Symbol) ? [node.children[0]] : path(node.children[0])
    end
    return inside unless name

    full = name[0] == :top ? name.drop(1) : inside + name
    @types << [full.join('::'), node.first_lineno]
    node.type == :CDECL ? inside : full
  end

  def path(node)
    case node&.type
    when :COLON2 then path(node.children[0]) + [node.children[1]]
    when :COLON3 then [:top, node.children[0]]
    when :CONST then [node.children[0]]
    else []
    end
  end

  def opened(node, function)
    case node.type
    when :DEFN then name = node.children[0]
    when :DEFS then name = node.children[1]
    when :ITER then name = defined_by(node.children[0])
    end
    return unless name

    @declared[node.first_lineno] = name
    return if function

    @functions << Function.new(node.first_lineno, node.last_lineno, name, {}, {})
    @functions.last
  end

  def defined_by(call)
    literal(call.children[1]&.children&.first) if call.type == :FCALL && %i[define_method define_singleton_method].include?(call.children[0])
  end

  def literal(node)
    node.children[0] if node.is_a?(RubyVM::AbstractSyntaxTree::Node) && node.type == :LIT && node.children[0].is_a?(Symbol)
  end

  def note(node, function)
    case node.type
    when :CALL, :QCALL, :OPCALL, :ATTRASGN then called(function, node.children[1])
    when :FCALL, :VCALL
      called(function, node.children[0])
      attribute(node) if node.type == :FCALL && ATTRIBUTES.include?(node.children[0])
    when :SUPER, :ZSUPER then called(function, function&.name)
    when :OP_ASGN2 then [node.children[2], :"#{node.children[2]}="].each { |n| called(function, n) }
    when :BLOCK_PASS
      name = literal(node.children[1])
      function.symbols[name] = true if name && function
    end
  end

  def called(function, name)
    function.names[name] = true if function && name
  end

  def attribute(node)
    node.children[1]&.children&.each do |c|
      name = literal(c) or next
      [name, :"#{name}="].each { |n| @attributes << [node.first_lineno, node.last_lineno, n, c.first_lineno] }
    end
  end
end

# Recorder notes calls while tests run, and writes them as JSON: [[path, line, name, callee path, callee line, callee name], ...].
class Recorder
  NAME = Module.instance_method(:name)
  METHOD = Module.instance_method(:instance_method)
  MOCKS = %r{/(rspec/mocks|mocha|minitest/mock)}.freeze # in place of methods that they say nothing of
  ANCESTORS = Module.instance_method(:ancestors)

  def initialize(files)
    @files = files # paths of the folders' files
    @calls = {}
    @ran = {}
    @natives = {}.compare_by_identity
    @above = {}
    @outside = {}.compare_by_identity # what methods of tests override, by class
  end

  def start
    @thread = TracePoint.new(:call, :c_call) { |tp| tp.event == :call ? call(tp) : native(tp) }
    @thread.enable
  end

  def write(out)
    @thread.disable
    out.write(JSON.generate({ calls: @calls.keys, ran: @ran.keys, above: @above }))
    out.close
  end

  private

  def call(tp)
    return if MOCKS.match?(tp.path)

    from = caller_locations(3, 1)&.first or return
    path = from.path
    return unless @files[path]

    @ran[[path, from.lineno, tp.callee_id]] = true
    if @files[tp.path]
      to(path, from.lineno, tp.callee_id, tp.path, tp.lineno, tp.method_id, tp.defined_class)
    else
      elsewhere(path, from.lineno, tp.callee_id, tp.method_id, tp.defined_class)
    end
  end

  # A method of the tests that overrides one of the files.
  def elsewhere(path, line, called, name, owner)
    known = (@outside[owner] ||= {})
    known[name] = over(name, owner) unless known.key?(name)
    @calls[[path, line, called, 'tests', 0, name]] = true if known[name].any?
    known[name].each { |over| (@above["tests:0:#{name}"] ||= []) << over unless @above["tests:0:#{name}"]&.include?(over) }
  end

  # What is written in C: attributes, constructors without initialize, and all that is outside.
  def native(tp)
    path = tp.path
    return unless @files[path]

    line = tp.lineno
    name = tp.callee_id
    @ran[[path, line, name]] = true
    type = name == :new || name == :exception
    found = type ? made(tp.self) : attribute(tp.defined_class, tp.method_id)
    to(path, line, name, *found, type ? nil : tp.defined_class) if found
  end

  def attribute(owner, name)
    known = (@natives[owner] ||= {})
    return known[name] if known.key?(name)

    file, line = METHOD.bind_call(owner, name).source_location
    known[name] = @files[file] ? [file, line, name] : nil
  rescue NameError
    nil
  end

  def made(type)
    known = (@natives[type] ||= {})
    return known[:new] if known.key?(:new)

    known[:new] = nil
    name = Module === type && NAME.bind_call(type) or return
    return if @files[METHOD.bind_call(type, :initialize).source_location&.first]

    known[:new] = ['', 0, name]
  rescue NameError
    nil
  end

  def to(path, line, called, file, at, name, owner)
    key = [path, line, called, file, at, name]
    return if @calls[key]

    @calls[key] = true
    @above["#{file}:#{at}:#{name}"] ||= over(name, owner) if owner
  end

  # The methods of the files that a method of a class or module overrides.
  def over(name, owner)
    ANCESTORS.bind_call(owner).drop_while { |a| a != owner }.drop(1).filter_map do |a|
      next unless a.instance_methods(false).include?(name) || a.private_instance_methods(false).include?(name)

      source = METHOD.bind_call(a, name).source_location
      source if source && @files[source[0]]
    end
  end
end

# Absent takes the place of libraries that measure or debug tests.
class Absent
  def self.method_missing(*, **) = self
  def self.respond_to_missing?(*) = true
  def self.const_missing(_) = self
  def self.new(*, **) = self
end

# Child runs one file of tests.
module Child
  ABSENT = { 'bundler' => :Bundler, 'bundler/setup' => :Bundler, 'simplecov' => :SimpleCov, 'coveralls' => :Coveralls }.freeze

  # What tests require and is not installed is left out: those that need it fail, others run.
  def require(name)
    return super unless ABSENT.key?(name)

    constant = ABSENT[name]
    Object.const_set(constant, Absent) unless Object.const_defined?(constant)
    false
  rescue LoadError
    raise unless caller_locations(1, 8).find { |l| l.path != __FILE__ }&.path&.match?(%r{/(spec|test)/})

    false
  end

  def self.run(root, folders, how, file, out)
    Object.prepend(Child)
    files = folders.flat_map { |f| Dir.glob("#{root}/#{f}/**/*.rb") }.to_h { |f| [f, true] }
    recorder = Recorder.new(files)
    at_exit { recorder.write(File.open(out, 'w')) }
    $LOAD_PATH.unshift("#{root}/lib", "#{root}/test", "#{root}/spec")
    if how == 'rspec'
      require 'rspec/core'
      recorder.start
      RSpec::Core::Runner.run([file])
    else
      recorder.start
      load file
    end
  end
end

# Parent runs the files of tests and joins what they noted.
class Parent
  LIMIT = 120 # seconds for a file of tests

  def initialize(root, folders)
    @root = File.realpath(root)
    @folders = folders
    @sources = Hash.new { |h, path| h[path] = Source.new(path) }
    @pairs = {}
    @ran = Hash.new { |h, k| h[k] = {} }
  end

  def run
    failed = tests.reject { |file| trace(file) }
    warn "#{tests.size} files of tests, without a trace: #{failed.map { |f| relative(f) }.join(' ')}"
    @pairs.each_value { |row| puts JSON.generate(row) }
    @ran.each { |(caller, line), names| puts JSON.generate({ caller: caller, callee: "ran:#{line}:#{names.keys.join(' ')}", kind: 'ran', site: '' }) }
  end

  private

  def tests
    @tests ||= Dir.glob("#{@root}/{spec,test}/**/{*_test,test_*,*_spec,spec_*,tc_*}.rb").sort.reject { |f| File.basename(f).match?(/\A(spec|test)_helpers?\.rb\z/) }
  end

  def how
    @how ||= File.exist?("#{@root}/.rspec") || Dir.glob("#{@root}/spec/*helper*.rb").any? { |f| File.read(f).match?(/RSpec|rspec/) } ? 'rspec' : 'load'
  end

  def trace(file)
    out = Tempfile.create('rubycalls')
    out.close
    pid = spawn('timeout', LIMIT.to_s, 'ruby', '-W0', __FILE__, '--child', @root, @folders.join(','), how, file, out.path,
                chdir: @root, in: File::NULL, out: File::NULL, err: ENV['RUBYCALLS_LOG'] ? [ENV['RUBYCALLS_LOG'], 'a'] : File::NULL)
    Process.wait(pid)
    text = File.read(out.path)
    return false if text.empty?

    join(JSON.parse(text))
    true
  ensure
    File.unlink(out.path)
  end

  def join(noted)
    noted['ran'].each do |path, line, name|
      caller = place(path, line) or next
      @ran[[caller, line]][name] = true
    end
    noted['calls'].each { |call| pair(noted['above'], *call) }
  end

  def pair(above, path, line, called, file, at, name)
    caller = place(path, line) or return
    callee, *bodies = file == '' ? bodies(name) : [file == 'tests' ? "tests:0:#{name}" : declared(file, at, name)]
    return unless callee

    kind = file == 'tests' ? 'outside' : kind(@sources[path].around(line), called.to_sym)
    over = above["#{file}:#{at}:#{name}"]&.filter_map { |f, l| declared(f, l, name) } || []
    add(caller, callee, kind, "#{relative(path)}:#{line}", over + bodies)
  end

  RANK = %w[call new symbol operator implicit outside].freeze

  def add(caller, callee, kind, site, overrides)
    row = @pairs[[caller, callee]] ||= { caller: caller, callee: callee, kind: kind, site: site, overrides: [] }
    row.update(kind: kind, site: site) if RANK.index(kind) < RANK.index(row[:kind])
    row[:overrides] |= overrides
  end

  def kind(function, called)
    return 'new' if %i[new initialize exception].include?(called) && (function.names[:new] || function.names[:raise])
    return 'operator' unless called.match?(/\A[a-zA-Z_]/)
    return 'call' if function.names[called]

    function.symbols[called] ? 'symbol' : 'implicit'
  end

  # The bodies of a class or module, the first one first.
  def bodies(name)
    @types ||= @folders.flat_map { |f| Dir.glob("#{@root}/#{f}/**/*.rb").sort }.flat_map do |f|
      @sources[f].types.map { |full, line| [full, "#{relative(f)}:#{line}:#{full.split('::').last}"] }
    end.group_by(&:first)
    (@types[name] || []).map(&:last)
  end

  # The outermost function around a line.
  def place(path, line)
    function = @sources[path].around(line)
    "#{relative(path)}:#{function.first}:#{function.name}" if function
  end

  def declared(file, line, name)
    source = @sources[file]
    outer = source.around(line)
    return "#{relative(file)}:#{outer.first}:#{outer.name}" if outer

    at = source.declares(line, name.to_sym)
    "#{relative(file)}:#{at}:#{name}" if at
  end

  def relative(path) = path.delete_prefix("#{@root}/")
end

if ARGV[0] == '--child'
  _, root, folders, how, file, out = ARGV.slice!(0..)
  Child.run(root, folders.split(','), how, file, out)
else
  Parent.new(ARGV[0], ARGV[1..]).run
end
