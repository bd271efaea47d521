package internal

import (
	"context"
	"math/rand"
	"os"
	"strings"
	"time"
)

// Try calls f up to n times and sleeps a little longer each time.
func Try(ctx context.Context, n int, f func() error) (err error) {
	wait := 200 * time.Millisecond
	for i := 0; i < n; i++ {
		if err = f(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait + time.Duration(rand.Int63n(int64(wait)))):
		}
		wait *= 2
	}
	return err
}

func Env(key, def string) string {
	if v := strings.TrimSpace(os.Getenv(key)); v != "" {
		return v
	}
	return def
}

func Ptr[T any](v T) *T { return &v }

func Uniq[T comparable](in []T) []T {
	seen := make(map[T]struct{}, len(in))
	out := in[:0]
	for _, v := range in {
		if _, ok := seen[v]; !ok {
			seen[v] = struct{}{}
			out = append(out, v)
		}
	}
	return out
}
