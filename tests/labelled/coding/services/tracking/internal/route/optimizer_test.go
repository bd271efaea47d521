package route

import (
	"math"
	"testing"
)

func TestShortestPrefersCheaperDetour(t *testing.T) {
	graph := [][]Edge{
		{{To: 1, Cost: 10}, {To: 2, Cost: 1}},
		{},
		{{To: 1, Cost: 2}},
	}
	got := Shortest(graph, 0)
	want := []float64{0, 3, 1}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("stop %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

func TestShortestLeavesIslandsAtInfinity(t *testing.T) {
	got := Shortest([][]Edge{{}, {}}, 0)
	if !math.IsInf(got[1], 1) {
		t.Fatalf("island reached: %v", got[1])
	}
}
