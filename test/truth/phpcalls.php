<?php
// phpcalls.php REPOSITORY FOLDER...: the calls in PHP code as intelephense resolves them.
//
// Every call site that PHP's tokenizer finds in the folders is put to the language server (textDocument/definition at the
// called name). A line of JSON for each pair of caller and callee: {"caller", "callee", "kind", "site"}, a function being
// "file:line:name" with the line of its name. What is nested in a function counts to the outermost one; calls outside functions
// are left out. The kinds are "call" and "new"; "new" reaches the constructor, or the class if it has none.
// INTELEPHENSE names intelephense's lib/intelephense.js.

const AHEAD = 40; // how many questions are under way

/** The functions, classes and call sites of one file. */
final class Reader
{
    public array $named = []; // the names of functions and classes, by line
    public array $sites = []; // [line, column, kind, caller]
    private array $open = []; // what the open braces belong to: "class", a function's place, or ""
    private string $pending = '';

    public function __construct(private string $file, private string $text)
    {
        $tokens = array_values(array_filter(PhpToken::tokenize($text), fn ($t) => !$t->isIgnorable()));
        foreach ($tokens as $i => $token) {
            $this->token($tokens, $i, $token);
        }
    }

    private function token(array $tokens, int $i, PhpToken $token): void
    {
        $before = $tokens[$i - 1] ?? null;
        $next = $tokens[$i + 1] ?? null;
        if ($token->is([T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM]) && !($before && $before->is([T_DOUBLE_COLON, T_OBJECT_OPERATOR]))) {
            $this->pending = 'class';
            if ($next && $next->is(T_STRING)) {
                $this->named[$next->line] = $next->text;
            }
        } elseif ($token->is(T_FUNCTION)) {
            $name = $next && $next->text === '&' ? $tokens[$i + 2] : $next;
            if ($name && $name->text !== '(') {
                $this->named[$name->line] = $name->text;
                $this->pending = "$name->line:$name->text";
            }
        } elseif ($token->is(['{', T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
            $this->open[] = $token->text === '{' ? $this->pending : '';
            $this->pending = $token->text === '{' ? '' : $this->pending;
        } elseif ($token->text === '}') {
            array_pop($this->open);
        } elseif ($token->text === ';') {
            $this->pending = '';
        } elseif ($next && $this->called($token, $before, $next)) {
            $this->site($token, $before && $before->is(T_NEW) ? 'new' : 'call');
        }
    }

    private function called(PhpToken $token, ?PhpToken $before, PhpToken $next): bool
    {
        if ($before && $before->is(T_NEW)) {
            return $token->is([T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED]);
        }
        $member = $before && $before->is([T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON]);
        return $next->text === '(' && !($before && $before->is([T_FUNCTION, T_FN])) && !($before && $before->text === '&')
            && ($token->is([T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED]) || $member && preg_match('/^\w+$/', $token->text));
    }

    private function site(PhpToken $token, string $kind): void
    {
        foreach ($this->open as $of) {
            if (str_contains($of, ':')) {
                $start = strrpos(substr($this->text, 0, $token->pos), "\n");
                $last = strrpos($token->text, '\\');
                $column = $token->pos - ($start === false ? 0 : $start + 1) + ($last === false ? 0 : $last + 1);
                $this->sites[] = [$token->line, $column, $kind, "$this->file:$of"];
                return;
            }
        }
    }
}

/** Intelephense's language server. */
final class Server
{
    private $process;
    private array $pipes = [];
    private int $last = 0;

    public function __construct(string $root)
    {
        $storage = sys_get_temp_dir() . '/phpcalls.' . getmypid();
        mkdir($storage);
        $log = ['file', '/dev/null', 'w'];
        $this->process = proc_open(['node', getenv('INTELEPHENSE'), '--stdio'], [['pipe', 'r'], ['pipe', 'w'], $log], $this->pipes);
        $this->wait([$this->ask('initialize', [
            'processId' => null, 'rootUri' => "file://$root", 'workspaceFolders' => [['uri' => "file://$root", 'name' => 'r']],
            'initializationOptions' => ['storagePath' => $storage, 'globalStoragePath' => $storage, 'clearCache' => true],
            'capabilities' => ['workspace' => ['configuration' => true, 'workspaceFolders' => true]],
        ])]);
        $this->tell('initialized', new stdClass());
        while (($this->read()['method'] ?? '') !== 'indexingEnded') {
        }
    }

    public function tell(string $method, $params, ?int $id = null): void
    {
        $this->send(['jsonrpc' => '2.0', 'method' => $method, 'params' => $params] + ($id === null ? [] : ['id' => $id]));
    }

    public function ask(string $method, $params): int
    {
        $this->tell($method, $params, ++$this->last);
        return $this->last;
    }

    /** The results of questions, by their numbers. */
    public function wait(array $numbers): array
    {
        $out = [];
        while (count($out) < count($numbers)) {
            $message = $this->read();
            if (isset($message['id']) && !isset($message['method'])) {
                $out[$message['id']] = $message['result'] ?? null;
            }
        }
        return $out;
    }

    public function close(): void
    {
        proc_terminate($this->process);
    }

    private function send(array $message): void
    {
        $body = json_encode($message);
        fwrite($this->pipes[0], 'Content-Length: ' . strlen($body) . "\r\n\r\n" . $body);
    }

    /** The next message; the server's own questions are answered with nothing. */
    private function read(): array
    {
        $size = 0;
        while (($line = trim((string) fgets($this->pipes[1]))) !== '') {
            $size = (int) preg_replace('/^content-length:\s*/i', '', $line) ?: $size;
        }
        if ($size === 0) {
            fwrite(STDERR, "intelephense ended\n");
            exit(1);
        }
        for ($body = ''; strlen($body) < $size; $body .= fread($this->pipes[1], $size - strlen($body))) {
        }
        $message = json_decode($body, true);
        if (isset($message['id'], $message['method'])) {
            $items = array_fill(0, count($message['params']['items'] ?? []), null);
            $this->send(['jsonrpc' => '2.0', 'id' => $message['id'], 'result' => $message['method'] === 'workspace/configuration' ? $items : null]);
        }
        return $message;
    }
}

/** The first name in a range of lines, that of the declaration there. */
function first(array $named, int $from, int $to): array
{
    for ($line = $from; $line <= $to; $line++) {
        if (isset($named[$line])) {
            return [$line, $named[$line]];
        }
    }
    return [0, ''];
}

function main(string $root, array $parts): void
{
    $root = realpath($root);
    $files = [];
    foreach ($parts as $part) {
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/$part", FilesystemIterator::SKIP_DOTS)) as $path) {
            if (str_ends_with($path, '.php')) {
                $path = realpath($path);
                $files[substr($path, strlen($root) + 1)] = file_get_contents($path);
            }
        }
    }
    ksort($files);
    $named = $sites = [];
    foreach ($files as $file => $text) {
        $read = new Reader($file, $text);
        $named[$file] = $read->named;
        foreach ($read->sites as $site) {
            $sites[] = [$file, ...$site];
        }
    }
    $server = new Server($root);
    foreach ($files as $file => $text) {
        $server->tell('textDocument/didOpen', ['textDocument' => ['uri' => "file://$root/$file", 'languageId' => 'php', 'version' => 1, 'text' => $text]]);
    }
    $rows = [];
    foreach (array_chunk($sites, AHEAD) as $some) {
        $asked = [];
        foreach ($some as $site) {
            [$file, $line, $column] = $site;
            $where = ['textDocument' => ['uri' => "file://$root/$file"], 'position' => ['line' => $line - 1, 'character' => $column]];
            $asked[$server->ask('textDocument/definition', $where)] = $site;
        }
        foreach ($server->wait(array_keys($asked)) as $number => $found) {
            [$file, $line, , $kind, $caller] = $asked[$number];
            $places = [];
            foreach (isset($found['uri']) ? [$found] : ($found ?? []) as $place) {
                $target = substr(rawurldecode(substr($place['uri'], strlen('file://'))), strlen($root) + 1);
                [$at, $name] = first($named[$target] ?? [], $place['range']['start']['line'] + 1, $place['range']['end']['line'] + 1);
                if ($name !== '') {
                    $places["$target:$at:$name"] = $name;
                }
            }
            if (in_array('__construct', $places, true)) { // the class comes with it
                $places = array_filter($places, fn ($name) => $name === '__construct');
            }
            foreach ($places as $callee => $_) {
                $rows["$caller $callee"] = ['caller' => $caller, 'callee' => $callee, 'kind' => $kind, 'site' => "$file:$line"];
            }
        }
    }
    $server->close();
    ksort($rows);
    foreach ($rows as $row) {
        echo json_encode($row, JSON_UNESCAPED_SLASHES), "\n";
    }
}

main($argv[1], array_slice($argv, 2) ?: ['.']);
