package resolve

// rubyLibrary are the methods of Ruby's own classes, of its library and of Rails, by class or a group of classes that are much alike.
var rubyLibrary = map[string]map[string]bool{
	"Object": wordSet(`
		__id__ __send__ class clone define_singleton_method display dup enum_for eql? equal? extend freeze frozen? hash inspect instance_eval instance_exec
		instance_of? instance_variable_defined? instance_variable_get instance_variable_set instance_variables is_a? itself kind_of? method methods nil?
		object_id private_methods protected_methods public_method public_methods public_send rationalize remove_instance_variable respond_to? send
		singleton_class singleton_method singleton_methods taint tainted? tap then to_a to_c to_enum to_f to_h to_i to_r to_s trust untaint untrust
		untrusted? yield_self`),
	"Enumerable": wordSet(`
		all? any? chain chunk chunk_while collect collect_concat compact count cycle detect drop drop_while each_cons each_entry each_slice each_with_index
		each_with_object entries filter filter_map find find_all find_index first flat_map grep grep_v group_by include? inject lazy map max max_by member?
		min min_by minmax minmax_by none? one? partition reduce reject reverse_each select slice_after slice_before slice_when sort sort_by sum take
		take_while tally to_set uniq zip`),
	"Array": wordSet(`
		all? any? append assoc at bsearch bsearch_index clear collect collect! combination compact compact! concat count cycle deconstruct delete delete_at
		delete_if difference dig drop drop_while each each_index empty? fetch fill filter filter! find_index first flatten flatten! include? index insert
		intersect? intersection join keep_if last length map map! max min minmax none? one? pack permutation pop prepend product push rassoc reject reject!
		repeated_combination repeated_permutation replace reverse reverse! reverse_each rindex rotate rotate! sample select select! shift shuffle shuffle!
		size slice slice! sort sort! sort_by! sum take take_while to_ary to_csv transpose union uniq uniq! unshift values_at zip`),
	"Hash": wordSet(`
		any? assoc clear compact compact! compare_by_identity compare_by_identity? deconstruct_keys default default= default_proc default_proc= delete
		delete_if dig each each_key each_pair each_value empty? except fetch fetch_values filter filter! flatten has_key? has_value? include? invert
		keep_if key key? keys length member? merge merge! rassoc rehash reject reject! replace select select! shift size slice store to_hash to_proc
		transform_keys transform_keys! transform_values transform_values! update value? values values_at`),
	"Set": wordSet(`
		add add? classify clear collect! compare_by_identity compare_by_identity? delete delete? delete_if difference disjoint? divide each empty? filter!
		flatten flatten! flatten_merge include? intersect? intersection join keep_if length map! member? merge pretty_print pretty_print_cycle
		proper_subset? proper_superset? reject! replace reset select! size subset? subtract superset? to_set union`),
	"Struct": wordSet(`
		__id__! __send__! class! clone! deconstruct deconstruct_keys define_singleton_method! delete_field delete_field! dig dig! display! dup! each
		each_pair each_pair! encode_with encode_with! enum_for! extend! filter freeze! hash! init_with init_with! inspect! instance_eval! instance_exec!
		instance_variable_get! instance_variable_set! instance_variables! itself! length marshal_dump marshal_dump! members method! methods! object_id!
		private_methods! protected_methods! public_method! public_methods! public_send! remove_instance_variable! select send! singleton_class!
		singleton_method! singleton_methods! size table table! taint! tap! then! to_enum! to_h! to_s! trust! untaint! untrust! values values_at yield_self!`),
	"Enumerator": wordSet(`
		chunk chunk_while collect collect_concat compact drop drop_while each each_with_index each_with_object eager feed filter filter_map find_all
		flat_map force grep grep_v lazy map next next_values peek peek_values reject rewind select size slice_after slice_before slice_when take take_while
		to_proc uniq with_index with_object yield zip`),
	"String": wordSet(`
		ascii_only? b between? bytes bytesize byteslice capitalize capitalize! casecmp casecmp? center chars chomp chomp! chop chop! chr clamp clear
		codepoints concat count crypt delete delete! delete_prefix delete_prefix! delete_suffix delete_suffix! downcase downcase! dump each_byte each_char
		each_codepoint each_grapheme_cluster each_line empty? encode encode! encoding end_with? force_encoding getbyte grapheme_clusters gsub gsub! hex
		id2name include? index insert intern length lines ljust lstrip lstrip! match match? name next next! oct ord parse_csv partition prepend replace
		reverse reverse! rindex rjust rpartition rstrip rstrip! scan scrub scrub! setbyte size slice slice! split squeeze squeeze! start_with? strip strip!
		sub sub! succ succ! sum swapcase swapcase! to_proc to_str to_sym tr tr! tr_s tr_s! undump unicode_normalize unicode_normalize! unicode_normalized?
		unpack unpack1 upcase upcase! upto valid_encoding?`),
	"Number": wordSet(`
		_dump abs abs2 add allbits? angle anybits? arg bit_length ceil chr coerce conj conjugate denominator digits div divmod downto even? exponent fdiv
		finite? fix floor frac gcd gcdlcm i imag imaginary infinite? integer? lcm magnitude modulo mult n_significant_digits nan? negative? next next_float
		nobits? nonzero? numerator odd? ord phase polar positive? pow power precision precision_scale precs pred prev_float quo real real? rect rectangular
		remainder round scale sign singleton_method_added size split sqrt step sub succ times to_int truncate upto zero?`),
	"Range": wordSet(`
		begin bsearch count cover? each end entries exclude_end? first include? last max member? min minmax size step`),
	"Regexp": wordSet(`
		begin captures casefold? encoding end fixed_encoding? length match match? match_length named_captures names offset options post_match pre_match
		regexp size source string values_at`),
	"StringScanner": wordSet(`
		beginning_of_line? bol? captures charpos check check_until clear concat empty? eos? exist? fixed_anchor? get_byte getbyte getch match? matched
		matched? matched_size peek peep pointer pointer= pos pos= post_match pre_match reset rest rest? rest_size restsize scan scan_full scan_until
		search_full size skip skip_until string string= terminate unscan values_at`),
	"Proc": wordSet(`
		arity bind bind_call binding call curry eval irb lambda? local_variable_defined? local_variable_get local_variable_set local_variables name
		original_name owner parameters private? protected? public? receiver ruby2_keywords source_location super_method to_proc unbind yield`),
	"Module": wordSet(`
		alias_method allocate ancestors attr attr_accessor attr_reader attr_writer autoload autoload? class_eval class_exec class_variable_defined?
		class_variable_get class_variable_set class_variables const_defined? const_get const_missing const_set const_source_location constants
		define_method deprecate_constant include include? included_modules instance_method instance_methods json_creatable? method_defined? module_eval
		module_exec name new prepend private_class_method private_constant private_instance_methods private_method_defined? protected_instance_methods
		protected_method_defined? public_class_method public_constant public_instance_method public_instance_methods public_method_defined?
		remove_class_variable remove_method singleton_class? subclasses superclass undef_method`),
	"Exception": wordSet(`
		args backtrace backtrace_locations cause errno exception exit_value full_message key local_variables message name private_call? reason receiver
		result set_backtrace signm signo status success?`),
	"IO": wordSet(`
		_close absolute? accept accept_nonblock advise afamily all? any? ascend atime autoclose= autoclose? basename bind binmode binmode? binread binwrite
		birthtime blksize blockdev? blocks canonname chain chardev? children chmod chown chunk chunk_while cleanpath close close! close_on_exec=
		close_on_exec? close_read close_write closed? closed_read? closed_write? collect collect_concat compact connect connect_address connect_from
		connect_internal connect_nonblock connect_to count ctime cycle delete descend detect dev dev_major dev_minor directory? dirname
		do_not_reverse_lookup do_not_reverse_lookup= drop drop_while each each_byte each_char each_child each_codepoint each_cons each_entry each_filename
		each_line each_slice each_with_index each_with_object empty? entries eof eof? executable? executable_real? exist? expand_path external_encoding
		extname family_addrinfo fcntl fdatasync file? fileno filter filter_map find find_all find_index first flat_map flock flush fnmatch fnmatch? fsync
		ftype getbyte getc getnameinfo getpeereid getpeername gets getsockname getsockopt gid glob grep grep_v group_by grpowned? include? inject ino
		inspect_sockaddr internal_encoding ioctl ip? ip_address ip_port ip_unpack ipv4? ipv4_loopback? ipv4_multicast? ipv4_private? ipv6? ipv6_linklocal?
		ipv6_loopback? ipv6_mc_global? ipv6_mc_linklocal? ipv6_mc_nodelocal? ipv6_mc_orglocal? ipv6_mc_sitelocal? ipv6_multicast? ipv6_sitelocal?
		ipv6_to_ipv4 ipv6_unique_local? ipv6_unspecified? ipv6_v4compat? ipv6_v4mapped? ipv6only! isatty join lazy lchmod lchown length lineno lineno=
		listen local_address lstat make_link make_symlink map marshal_dump marshal_load max max_by member? min min_by minmax minmax_by mkdir mkpath mode
		mountpoint? mtime nlink none? nread one? open opendir owned? parent partition path pathconf pfamily pid pipe? pos pos= pread print printf protocol
		putc puts pwrite rdev rdev_major rdev_minor read read_nonblock readable? readable_real? readbyte readchar readline readlines readlink readpartial
		ready? realdirpath realpath recv recv_nonblock recvfrom recvfrom_nonblock recvmsg recvmsg_nonblock reduce reject relative? relative_path_from
		remote_address rename reopen reverse_each rewind rmdir rmtree root? seek select sendmsg sendmsg_nonblock set_encoding set_encoding_by_bom setgid?
		setsockopt setuid? shutdown size size? slice_after slice_before slice_when socket? socktype sort sort_by split stat sticky? string string= sub
		sub_ext sum symlink? sync sync= sysaccept sysopen sysread sysseek syswrite take take_while tally tell to_io to_json to_path to_set to_sockaddr
		truncate tty? uid ungetbyte ungetc uniq unix? unix_path unlink unused utime wait wait_priority wait_readable wait_writable world_readable?
		world_writable? writable? writable_real? write write_nonblock zero? zip`),
	"Time": wordSet(`
		ajd amjd asctime ceil ctime cwday cweek cwyear day day_fraction downto dst? england floor friday? getgm getlocal getutc gmt? gmt_offset gmtime
		gmtoff gregorian gregorian? hour httpdate infinite? isdst iso8601 italy jd jisx0301 julian julian? ld leap? localtime marshal_dump marshal_load
		mday min minute mjd mon monday? month new_offset new_start next next_day next_month next_year nsec offset prev_day prev_month prev_year rfc2822
		rfc3339 rfc822 round saturday? sec sec_fraction second second_fraction start step strftime subsec succ sunday? thursday? to_date to_datetime
		to_time tuesday? tv_nsec tv_sec tv_usec upto usec utc utc? utc_offset wday wednesday? xmlschema yday year zone`),
	"Thread": wordSet(`
		abort_on_exception abort_on_exception= absolute_path add_trace_func alive? backtrace backtrace_locations base_label blocking? broadcast clear close
		closed? coredump? deq empty? enq exit exited? exitstatus fetch group join key? keys kill label length lineno lock locked? marshal_dump max max=
		name name= native_thread_id num_waiting owned? path pending_interrupt? pid pop priority priority= push raise report_on_exception
		report_on_exception= resume run set_trace_func shift signal signaled? size sleep status stop? stopped? stopsig success? synchronize terminate
		termsig thread_variable? thread_variable_get thread_variable_set thread_variables transfer try_lock unlock value wait wakeup`),
	"Encoding": wordSet(`
		_dump ascii_compatible? convert convpath destination_encoding dummy? finish insert_output last_error name names primitive_convert primitive_errinfo
		putback replacement replacement= replicate source_encoding`),
	"Random": wordSet(`
		block_length digest_length reset update`),
	"Logger": wordSet(`
		add close datetime_format datetime_format= debug debug! debug? error error! error? fatal fatal! fatal? formatter formatter= info info! info? level
		level= log progname progname= reopen sev_threshold sev_threshold= unknown warn warn! warn?`),
	"URI": wordSet(`
		absolute absolute? authority coerce component component_ary default_port find_proxy fragment fragment= hierarchical? host host= hostname hostname=
		merge merge! normalize normalize! opaque opaque= origin parser password password= path path= port port= query query= registry registry= relative?
		request_uri route_from route_to scheme scheme= select set_host set_opaque set_password set_path set_port set_registry set_scheme set_user
		set_userinfo user user= userinfo userinfo=`),
	"HTTP": wordSet(`
		active? add_field address basic_auth body body= body_exist? body_stream body_stream= ca_file ca_file= ca_path ca_path= canonical_each cert cert=
		cert_store cert_store= chunked? ciphers ciphers= close_on_empty_response close_on_empty_response= code code_type connection_close?
		connection_keep_alive? content_length content_length= content_range content_type content_type= continue_timeout continue_timeout= copy
		decode_content decode_content= delete each each_capitalized each_capitalized_name each_header each_key each_name each_value entity error!
		error_type exec extra_chain_cert extra_chain_cert= fetch finish form_data= get get2 get_fields head head2 header http_version
		initialize_http_header ipaddr ipaddr= keep_alive_timeout keep_alive_timeout= key key= key? length local_host local_host= local_port local_port=
		lock main_type max_retries max_retries= max_version max_version= message min_version min_version= mkcol move msg open_timeout open_timeout= options
		patch path peer_cert port post post2 propfind proppatch proxy? proxy_address proxy_address= proxy_basic_auth proxy_from_env= proxy_from_env?
		proxy_pass proxy_pass= proxy_port proxy_port= proxy_uri proxy_user proxy_user= proxyaddr proxyport put put2 range range= range_length read_body
		read_header read_timeout read_timeout= reading_body request request_body_permitted? request_get request_head request_post request_put response
		response_body_permitted? send_request set_body_internal set_content_type set_debug_output set_form set_form_data set_range size ssl_timeout
		ssl_timeout= ssl_version ssl_version= start started? sub_type to_hash trace type_params unlock update_uri uri uri= use_ssl= use_ssl? value
		verify_callback verify_callback= verify_depth verify_depth= verify_hostname verify_hostname= verify_mode verify_mode= write_timeout write_timeout=`),
	"CSV": wordSet(`
		add_row binmode binmode? by_col by_col! by_col_or_row by_col_or_row! by_row by_row! close close_read close_write closed? col_sep convert converters
		delete delete_if dig each each_pair empty? encoding eof eof? external_encoding fcntl fetch field field? field_row? field_size_limit fields fileno
		flock flush force_quotes? fsync gets has_key? header? header_convert header_converters header_row? headers include? index internal_encoding ioctl
		isatty key? length liberal_parsing? line lineno member? mode path pid pos pos= push puts quote_char read readline readlines reopen return_headers?
		rewind row row_sep seek shift size skip_blanks? skip_lines stat string sync sync= table tell to_ary to_csv to_hash to_io truncate tty?
		unconverted_fields? values_at write_headers?`),
	"OptionParser": wordSet(`
		abort accept add_officious additional_message banner banner= base candidate compsys def_head_option def_option def_tail_option default_argv
		default_argv= define define_head define_tail environment getopts help inc load make_switch new on on_head on_tail order order! parse parse! permute
		permute! program_name program_name= reject release release= remove require_exact require_exact= separator set_banner set_program_name
		set_summary_indent set_summary_width summarize summary_indent summary_indent= summary_width summary_width= terminate top ver version version= warn`),
	"ERB": wordSet(`
		def_class def_method def_module encoding filename filename= lineno lineno= location= make_compiler result result_with_hash run set_eoutvar src`),
	"ActiveSupport": wordSet(`
		ago as_json beginning_of_day blank? cache camelize classify config constantize days deep_dup deep_merge deep_symbolize_keys demodulize end_of_day
		fetch from_now hours html_safe html_safe? humanize in? l localize minutes months parameterize pluralize presence present? seconds singularize
		squish stringify_keys symbolize_keys t titleize to_json to_param to_query translate truncate try try! underscore weeks with_indifferent_access
		years`),
	"ActiveRecord": wordSet(`
		all any? assign_attributes attributes attributes= build changed? count create create! delete destroy destroy! destroyed? each eager_load empty?
		errors exists? find find_by find_by! find_or_create_by find_or_initialize_by first group having id ids includes invalid? joins last limit map name
		new_record? offset order persisted? pluck preload reload save save! scoped size to_a unscoped update update! update_attribute update_attributes
		update_column update_columns valid? where`),
	"ActionController": wordSet(`
		body cookies deliver deliver_later deliver_now flash format headers params perform perform_later perform_now redirect_to render request response
		session status status=`),
}
