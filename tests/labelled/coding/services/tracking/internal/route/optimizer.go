package route

import (
	"container/heap"
	"math"
)

type stop struct {
	id   int
	dist float64
}

type frontier []stop

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].dist < f[j].dist }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(stop)) }
func (f *frontier) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}

// Shortest returns the distance from src to every stop; unreachable stops are +Inf.
func Shortest(graph [][]Edge, src int) []float64 {
	dist := make([]float64, len(graph))
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[src] = 0
	open := &frontier{{src, 0}}
	for open.Len() > 0 {
		cur := heap.Pop(open).(stop)
		if cur.dist > dist[cur.id] {
			continue
		}
		for _, e := range graph[cur.id] {
			if next := cur.dist + e.Cost; next < dist[e.To] {
				dist[e.To] = next
				heap.Push(open, stop{e.To, next})
			}
		}
	}
	return dist
}
