package soc

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

type alert struct {
	ID    string   `json:"id"`
	Addrs []string `json:"addrs"`
	Notes []string `json:"notes,omitempty"`
}

// Run takes alerts from the stream until ctx ends.
func Run(ctx context.Context, c jetstream.Consumer, js jetstream.JetStream, look func(context.Context, string) (string, error)) error {
	for ctx.Err() == nil {
		batch, err := c.Fetch(20, jetstream.FetchMaxWait(5*time.Second))
		if err != nil {
			slog.Warn("fetch", "err", err)
			time.Sleep(time.Second)
			continue
		}
		for m := range batch.Messages() {
			var a alert
			if json.Unmarshal(m.Data(), &a) != nil {
				m.Term()
				continue
			}
			for _, addr := range a.Addrs {
				if n, err := look(ctx, addr); err == nil {
					a.Notes = append(a.Notes, n)
				}
			}
			out, _ := json.Marshal(a)
			if _, err := js.Publish(ctx, "alerts.enriched", out); err != nil {
				m.NakWithDelay(30 * time.Second)
				continue
			}
			m.Ack()
		}
	}
	return ctx.Err()
}
