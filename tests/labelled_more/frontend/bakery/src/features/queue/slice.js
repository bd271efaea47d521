import { createAsyncThunk, createEntityAdapter, createSlice } from '@reduxjs/toolkit'

import * as api from '../../api'

const adapter = createEntityAdapter({ sortComparer: (a, b) => a.due - b.due })

export const load = createAsyncThunk('queue/load', (shop) => api.queue(shop))
export const bump = createAsyncThunk('queue/bump', ({ id, to }, { rejectWithValue }) =>
  api.move(id, to).catch((e) => rejectWithValue(e.status)),
)

const slice = createSlice({
  name: 'queue',
  initialState: adapter.getInitialState({ status: 'idle', filter: 'all' }),
  reducers: {
    filterSet: (s, { payload }) => void (s.filter = payload),
    ticked: (s, { payload }) => void adapter.updateOne(s, { id: payload, changes: { done: true } }),
  },
  extraReducers: (b) =>
    b
      .addCase(load.pending, (s) => void (s.status = 'busy'))
      .addCase(load.fulfilled, (s, { payload }) => {
        s.status = 'idle'
        adapter.setAll(s, payload)
      })
      .addCase(load.rejected, (s) => void (s.status = 'failed')),
})

export const { filterSet, ticked } = slice.actions
export const { selectAll: selectQueue } = adapter.getSelectors((s) => s.queue)
export default slice.reducer
