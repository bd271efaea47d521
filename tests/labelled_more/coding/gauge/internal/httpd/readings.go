package httpd

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/gauge/internal/store"
)

type readings struct{ st *store.Store }

func (h readings) register(g *gin.RouterGroup) {
	g.GET("/stations/:id/levels", h.list)
	g.POST("/stations/:id/levels", h.add)
	g.DELETE("/levels/:level", h.drop)
}

func (h readings) list(c *gin.Context) {
	n, err := strconv.Atoi(c.DefaultQuery("n", "96"))
	if err != nil || n < 1 || n > 2000 {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": "n"})
		return
	}
	ls, err := h.st.Last(c, c.Param("id"), n)
	switch {
	case errors.Is(err, store.ErrNoStation):
		c.Status(http.StatusNotFound)
	case err != nil:
		c.Error(err)
		c.Status(http.StatusInternalServerError)
	default:
		c.JSON(http.StatusOK, ls)
	}
}

func (h readings) add(c *gin.Context) {
	var in store.Level
	if c.ShouldBindJSON(&in) != nil {
		c.Status(http.StatusUnprocessableEntity)
		return
	}
	in.Station = c.Param("id")
	if err := h.st.Put(c, in); err != nil {
		c.Error(err)
		return
	}
	c.Status(http.StatusAccepted)
}

func (h readings) drop(c *gin.Context) { c.Status(http.StatusMethodNotAllowed) }
