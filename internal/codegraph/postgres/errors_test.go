package postgres_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// secret is a password that must not be seen anywhere.
const secret = "hunter2/x:y@z"

// projectsOf opens a store and lists its projects, which is the first thing that connects.
func projectsOf(t *testing.T, address string) error {
	t.Helper()
	s, err := postgres.Open(address, postgres.Options{Cache: t.TempDir()})
	if err != nil {
		return err
	}
	_, err = s.Projects(t.Context())
	return errors.Join(err, s.Close())
}

// wantMessage checks what an error says in both languages, and that it shows neither user nor password.
func wantMessage(t *testing.T, err error, english, chinese string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	shown := []string{err.Error(), message.Render(message.English, err), message.Render(message.Chinese, err)}
	if !strings.Contains(shown[1], english) || !strings.Contains(shown[2], chinese) {
		t.Errorf("%q, %q", shown[1], shown[2])
	}
	hint := interface{ Hint() message.Text }(nil)
	if errors.As(err, &hint) {
		shown = append(shown, hint.Hint().String())
	}
	for _, text := range shown {
		for _, hidden := range []string{secret, url.QueryEscape(secret), "hunter2", pgserver.Password, url.QueryEscape(pgserver.Password), "boss", "nobody"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%q shows %q", text, hidden)
			}
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	server := pgserver.Start(t)
	server.Exec("postgres", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'", "CREATE USER nobody PASSWORD '"+secret+"'",
		"CREATE DATABASE closed TEMPLATE template0")
	escaped := url.QueryEscape(secret)
	for what, c := range map[string]struct{ address, english, chinese string }{
		"a wrong password":               {server.URLOf("postgres", pgserver.User, secret), "refuses the user or the password", "拒绝了用户或密码"},
		"a wrong user":                   {server.URLOf("postgres", "nobody2", secret), "refuses the user or the password", "拒绝了用户或密码"},
		"no such database":               {server.URL("nowhere"), "no such database", "没有该数据库"},
		"another encoding":               {server.URL("latin"), "must be UTF8", "必须是 UTF8"},
		"a user without rights":          {server.URLOf("closed", "nobody", secret), "may not do this", "无权"},
		"no server on the socket":        {"postgres://boss:" + escaped + "@/db?host=" + t.TempDir(), "nothing answers there", "没有响应"},
		"no server on the port":          {"postgres://boss:" + escaped + "@127.0.0.1:1/db", "nothing answers there", "没有响应"},
		"no server on two hosts":         {"postgres://boss:" + escaped + "@127.0.0.1:1,127.0.0.1:2/db?target_session_attrs=read-write", "127.0.0.1:1,127.0.0.1:2/db: nothing answers there", "没有响应"},
		"no such host":                   {"postgres://boss:" + escaped + "@db.invalid/db", "there is no host db.invalid", "没有主机 db.invalid"},
		"a password that is not escaped": {"postgres://boss:" + secret + "@127.0.0.1:1/db", "", ""},
		"a port that is not a number":    {"postgres://boss:" + escaped + "@127.0.0.1:port/db", "is not an address such as", "不是"},
		"a mode that does not exist":     {"postgres://boss:" + escaped + "@127.0.0.1:1/db?sslmode=maybe", "sslmode", "sslmode"},
		"a certificate that is gone":     {"postgres://boss:" + escaped + "@127.0.0.1:1/db?sslmode=verify-full&sslrootcert=/nowhere.pem", "/nowhere.pem", "/nowhere.pem"},
	} {
		t.Run(what, func(t *testing.T) { wantMessage(t, projectsOf(t, c.address), c.english, c.chinese) })
	}
}

// A network that swallows packets does not hold the command for ever.
func TestNoAnswer(t *testing.T) {
	silent, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	begin := time.Now()
	err = projectsOf(t, "postgres://boss:"+url.QueryEscape(secret)+"@"+silent.Addr().String()+"/db?connect_timeout=1&sslmode=disable")
	wantMessage(t, err, "no answer in time", "未及时响应")
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("after %v", took)
	}
}

// TLS is as the parameters of libpq say.
func TestTLS(t *testing.T) {
	server := pgserver.Start(t)
	server.Kill()
	port := freePort(t)
	ca := certificate(t, server)
	server.Listen(port)
	server.Run("ssl=on", "ssl_cert_file="+filepath.Join(server.Dir(), "server.crt"), "ssl_key_file="+filepath.Join(server.Dir(), "server.key"))
	user := url.UserPassword(pgserver.User, pgserver.Password).String()
	address := func(host, parameters string) string {
		return "postgres://" + user + "@" + net.JoinHostPort(host, strconv.Itoa(port)) + "/postgres?" + parameters
	}
	for _, good := range []string{
		address("127.0.0.1", "sslmode=require"), address("127.0.0.1", "sslmode=disable"), address("127.0.0.1", "sslmode=verify-full&sslrootcert="+ca),
	} {
		if err := projectsOf(t, good); err != nil {
			t.Error(err)
		}
	}
	wantMessage(t, projectsOf(t, address("localhost", "sslmode=verify-full&sslrootcert="+ca)), "certificate is not trusted", "证书不受信任")
	other := filepath.Join(t.TempDir(), "other.crt")
	writeCertificate(t, other, "")
	wantMessage(t, projectsOf(t, address("127.0.0.1", "sslmode=verify-ca&sslrootcert="+other)), "certificate is not trusted", "证书不受信任")
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// certificate gives the server a certificate for 127.0.0.1, and returns the file to trust.
func certificate(t *testing.T, server *pgserver.Server) string {
	t.Helper()
	cert, key := filepath.Join(server.Dir(), "server.crt"), filepath.Join(server.Dir(), "server.key")
	writeCertificate(t, cert, key)
	if err := errors.Join(server.Own(cert), server.Own(key)); err != nil {
		t.Fatal(err)
	}
	trusted, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(ca, trusted, 0o600); err != nil {
		t.Fatal(err)
	}
	return ca
}

func writeCertificate(t *testing.T, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "a test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	err = os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
	if keyFile != "" {
		err = errors.Join(err, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestNewerAndDamagedSchemas(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	if err := projectsOf(t, address); err != nil {
		t.Fatal(err)
	}
	server.Exec("test1", "UPDATE reverse_spec.version SET number = 99")
	err := projectsOf(t, address)
	newer := (*store.VersionError)(nil)
	if !errors.As(err, &newer) || newer.Got != 99 || newer.Known != 5 {
		t.Errorf("error %v", err)
	}
	wantMessage(t, err, "is of version 99, this program knows up to 5: update reverse-spec", "请更新 reverse-spec")

	server.Exec("test1", "UPDATE reverse_spec.version SET number = 5", "DROP TABLE reverse_spec.edge")
	err = projectsOf(t, address)
	damaged := (*store.DamagedError)(nil)
	if !errors.As(err, &damaged) || damaged.KeptAs != "" {
		t.Errorf("error %v", err)
	}
	wantMessage(t, err, "tables are missing", "缺少表")
}

// Rows that others deleted or changed are damage of one graph, which the next build replaces.
func TestDamagedGraphs(t *testing.T) {
	server := pgserver.Start(t)
	for i, damage := range []string{
		"DELETE FROM reverse_spec.word WHERE id = 2", "UPDATE reverse_spec.node SET label = 99", "UPDATE reverse_spec.graph SET next_node = -1",
		"UPDATE reverse_spec.node SET decorators = '['", "UPDATE reverse_spec.edge SET how = -1",
	} {
		s, root := openStore(t, server.Database()), t.TempDir()
		buildSmall(t, s, root, 1)
		server.Exec("test"+strconv.Itoa(i+1), damage)
		g, err := s.Open(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		err = readAll(t.Context(), g)
		if damaged := (*store.DamagedError)(nil); !errors.As(err, &damaged) {
			t.Errorf("%s: error %v", damage, err)
		}
		check(t, g.Close())
		buildSmall(t, s, root, 2)
		if g, err = s.Open(t.Context(), root); err != nil {
			t.Fatal(err)
		}
		check(t, readAll(t.Context(), g), g.Close(), s.Close())
	}
}

// A server that can only be read, as a replica, is read, and a push is told so.
func TestServerThatCanOnlyBeRead(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	s, root := openStore(t, address), t.TempDir()
	buildSmall(t, s, root, 1)
	check(t, s.Close())
	server.Exec("postgres", "ALTER DATABASE test1 SET default_transaction_read_only = on")
	s = openStore(t, address)
	if stage := stored(t, s, root); stage != 1 {
		t.Errorf("stage %d", stage)
	}
	_, err := s.Lock(t.Context(), root)
	wantMessage(t, err, "can only be read", "只读")
	check(t, s.Close())
}

// A user who may only read reads, and is told that it may not push.
func TestReadersNeedFewRights(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	s, root := openStore(t, address), t.TempDir()
	buildSmall(t, s, root, 1)
	server.Exec("test1", "CREATE USER nobody PASSWORD '"+secret+"'", "GRANT USAGE ON SCHEMA reverse_spec TO nobody", "GRANT SELECT ON ALL TABLES IN SCHEMA reverse_spec TO nobody")
	reader := openStore(t, server.URLOf("test1", "nobody", secret))
	g, err := reader.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	check(t, readAll(t.Context(), g), g.Close())
	_, err = reader.Lock(t.Context(), root)
	wantMessage(t, err, "may not do this", "无权")
	check(t, reader.Close(), s.Close())
}

// Tables of the first version are brought to the current one, with what is in them.
func TestTablesOfTheFirstVersion(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	old, err := os.ReadFile("schema/1.sql")
	check(t, err)
	server.Exec("test1", "CREATE SCHEMA reverse_spec", string(old), "INSERT INTO reverse_spec.version VALUES(1)",
		"INSERT INTO reverse_spec.project(key, name) VALUES('project://old', 'old')")
	s := openStore(t, address)
	defer s.Close()
	buildSmall(t, s, "project://old", 1)
	check(t, s.AddToken(t.Context(), store.Token{Name: "a", Hash: "h", Access: store.Access{Keys: []string{"project://old"}}}))
	got, err := s.Token(t.Context(), "h")
	if err != nil || got.Name != "a" || got.Access.All || len(got.Access.Keys) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	p, err := s.Find(t.Context(), "old")
	if err != nil || p.Origin.Key != "project://old" {
		t.Errorf("%+v, %v", p, err)
	}
}
