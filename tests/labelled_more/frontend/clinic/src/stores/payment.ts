import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

type Layer = 'ringed' | 'sighted' | 'nests'

export const useMap = defineStore('map', () => {
  const layers = ref<Set<Layer>>(new Set(['sighted']))
  const year = ref(new Date().getFullYear())
  const zoom = ref(Number(localStorage.getItem('zoom') ?? 6))

  const query = computed(() => ({ year: year.value, layers: [...layers.value].sort().join(',') }))

  function toggle(l: Layer) {
    layers.value.has(l) ? layers.value.delete(l) : layers.value.add(l)
  }

  function reset() {
    layers.value = new Set(['sighted'])
    zoom.value = 6
  }

  watch(zoom, (z) => localStorage.setItem('zoom', String(z)))

  return { layers, year, zoom, query, toggle, reset }
})
