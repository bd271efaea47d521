package stockclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Client asks the supplier's stock service. It keeps nothing.
type Client struct {
	base *url.URL
	http *http.Client
	key  string
}

func New(base *url.URL, key string) *Client {
	return &Client{base: base, key: key, http: &http.Client{Timeout: 5 * time.Second}}
}

type Level struct {
	SKU    string `json:"sku"`
	OnHand int    `json:"on_hand"`
}

func (c *Client) Level(ctx context.Context, sku string) (Level, error) {
	u := c.base.JoinPath("stock", sku)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Level{}, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	res, err := c.http.Do(req)
	if err != nil {
		return Level{}, fmt.Errorf("stock %s: %w", sku, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return Level{}, fmt.Errorf("stock %s: status %d", sku, res.StatusCode)
	}
	var level Level
	return level, json.NewDecoder(res.Body).Decode(&level)
}
