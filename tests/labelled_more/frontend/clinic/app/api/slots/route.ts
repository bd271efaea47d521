import { NextRequest, NextResponse } from 'next/server'
import { z } from 'zod'

import { db } from '@/server/db'

const Query = z.object({ vet: z.coerce.number().int(), day: z.string().date() })

export async function GET(req: NextRequest) {
  const q = Query.safeParse(Object.fromEntries(req.nextUrl.searchParams))
  if (!q.success) return NextResponse.json({ error: q.error.flatten() }, { status: 400 })

  const slots = await db.slot.findMany({ where: { vetId: q.data.vet, day: q.data.day, takenBy: null }, orderBy: { at: 'asc' } })
  return NextResponse.json(slots, { headers: { 'cache-control': 'private, max-age=15' } })
}

export async function POST(req: NextRequest) {
  const body = await req.json().catch(() => null)
  if (!body?.slot) return new NextResponse(null, { status: 422 })
  const { count } = await db.slot.updateMany({ where: { id: body.slot, takenBy: null }, data: { takenBy: body.animal } })
  return new NextResponse(null, { status: count ? 201 : 409 })
}
