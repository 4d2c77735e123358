package mcpclient

import (
	"math/rand/v2"
	"time"
)

// backoff is the pauses between tries: each twice the last, up to the most, and
// each shorter by up to a quarter at random, so that many clients of a server
// that comes back do not come at once.
type backoff struct {
	least, most time.Duration
	tries       int
}

// next returns the next pause.
func (b *backoff) next() time.Duration {
	pause := b.least
	for range b.tries {
		if pause = min(2*pause, b.most); pause == b.most {
			break
		}
	}
	b.tries++
	return pause - time.Duration(rand.Int64N(int64(pause)/4+1))
}

// reset begins again with the least.
func (b *backoff) reset() { b.tries = 0 }
