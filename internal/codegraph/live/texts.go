package live

import "sync"

// maxTexts bounds the texts that are kept, in bytes.
const maxTexts = 16 << 20

// texts keeps the texts of files that answers show, as long as nothing happens to the files.
type texts struct {
	mu    sync.Mutex
	files map[string][]byte
	size  int64
	// drops counts what was dropped: a text that was read before may be that of an older file.
	drops uint64
}

// read returns the text of a file, or reads it. Nobody changes the text.
func (t *texts) read(name string, read func(name string) ([]byte, error)) ([]byte, error) {
	t.mu.Lock()
	text, known := t.files[name]
	drops := t.drops
	t.mu.Unlock()
	if known {
		return text, nil
	}
	text, err := read(name)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.drops != drops || len(text) > maxTexts/4 {
		return text, nil
	}
	if t.size+int64(len(text)) > maxTexts || t.files == nil {
		t.files, t.size = map[string][]byte{}, 0
	}
	if _, known := t.files[name]; !known {
		t.files[name] = text
		t.size += int64(len(text))
	}
	return text, nil
}

// dropFile forgets a file.
func (t *texts) dropFile(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drops++
	if text, known := t.files[name]; known {
		t.size -= int64(len(text))
		delete(t.files, name)
	}
}

// drop forgets all files.
func (t *texts) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drops++
	t.files, t.size = nil, 0
}

// bytes returns how much is kept.
func (t *texts) bytes() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size
}
