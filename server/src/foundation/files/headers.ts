import type { FileType } from './kinds.ts'

const yearSeconds = 31_536_000
const isPicture = (type: FileType): boolean => type.startsWith('image/')

/**
 * Response headers of a file. A file opened on its own is a document of our origin: it may be displayed but run nothing,
 * and anything but a picture is downloaded.
 */
export function fileHeaders({ type, name, isPublic }: { type: FileType; name: string | null; isPublic: boolean }): Record<string, string> {
  const called = name === null ? '' : `; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escaped)}`
  return {
    'content-type': type.startsWith('text/') || type === 'image/svg+xml' ? `${type}; charset=utf-8` : type,
    'content-disposition': `${isPicture(type) ? 'inline' : 'attachment'}${called}`,
    'cache-control': isPublic ? `public, max-age=${yearSeconds}, immutable` : 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': isPublic ? 'cross-origin' : 'same-origin',
  }
}

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** The address of a public file. */
export function publicAddress(key: string): string {
  if (!key.startsWith('public/')) throw new Error(`not a public file: ${key}`)
  return `/files/${key.slice('public/'.length)}`
}
