// Package gateway passes requests on to quotes and labels.
package gateway

import (
	"errors"
	"net/http"
	"time"
)

// Attempts is how often a request is passed on before the client hears 502.
const Attempts = 5

// Do sends a request and tries again at once when the upstream fails.
func Do(client *http.Client, request *http.Request) (*http.Response, error) {
	var last error
	for i := 0; i < Attempts; i++ {
		answer, err := client.Do(request)
		if err == nil && answer.StatusCode < 500 {
			return answer, nil
		}
		last = err
		time.Sleep(10 * time.Millisecond)
	}
	if last == nil {
		last = errors.New("upstream keeps failing")
	}
	return nil, last
}
