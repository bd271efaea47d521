package levels

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func serve(t *testing.T, codes ...int) *Client {
	t.Helper()
	i := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(codes[min(i, len(codes)-1)])
		i++
		_, _ = w.Write([]byte(`[]`))
	}))
	t.Cleanup(s.Close)
	return New("t", WithBase(s.URL), WithWait(time.Millisecond))
}

func TestRetriesThenAnswers(t *testing.T) {
	if _, err := serve(t, 503, 503, 200).Stations(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
}

func TestNotFoundIsFinal(t *testing.T) {
	_, err := serve(t, 404).Levels(context.Background(), "x")
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("got %v", err)
	}
}
