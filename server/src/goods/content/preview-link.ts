import { createHmac, timingSafeEqual } from 'node:crypto'
import { settings } from '#platform'
import type { EntryKind } from './entry.ts'

const lastsMs = 7 * 86_400_000

/** Value of `?preview=`: shows one version to holders of the link, for seven days. */
export function previewToken(kind: EntryKind, id: number, version: number, now: Date): string {
  const until = Math.floor((now.getTime() + lastsMs) / 1000)
  return `${version}.${until}.${signatureOf(kind, id, version, until)}`
}

/** The version a token names for this entry; null when it is forged, of another entry or over. */
export function previewedVersion(kind: EntryKind, id: number, token: string, now: Date): number | null {
  const [, version, until, signature] = /^(\d{1,9})\.(\d{10})\.([\w-]{43})$/.exec(token) ?? []
  if (!version || !until || !signature || Number(until) * 1000 <= now.getTime()) return null
  const right = Buffer.from(signatureOf(kind, id, Number(version), Number(until)))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right) ? Number(version) : null
}

function signatureOf(kind: EntryKind, id: number, version: number, until: number): string {
  return createHmac('sha256', settings().mail.linkSecret).update(`content:${kind}:${id}:${version}:${until}`).digest('base64url')
}
