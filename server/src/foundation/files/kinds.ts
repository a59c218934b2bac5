interface Kind {
  /** Public files have addresses that anybody may read; private ones are served by the module that owns them. */
  isPublic: boolean
  maxBytes: number
  types: readonly FileType[]
}

/** Supported types and their extensions: the type follows from the key and is never sniffed from bytes. */
export const endings = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'text/html': 'html',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/xml': 'xml',
  'application/zip': 'zip',
} as const
export type FileType = keyof typeof endings

const megabyte = 1_000_000
const photographs = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const

/** Every kind of file the shop stores. User files never hold active content: no SVG, no HTML. */
export const kinds = {
  'product-picture': { isPublic: true, maxBytes: 10 * megabyte, types: [...photographs, 'image/svg+xml'] },
  'product-document': { isPublic: true, maxBytes: 20 * megabyte, types: ['application/pdf', 'image/svg+xml', 'text/html'] },
  'shop-picture': { isPublic: true, maxBytes: 5 * megabyte, types: [...photographs, 'image/svg+xml'] },
  upload: { isPublic: false, maxBytes: 10 * megabyte, types: [...photographs, 'application/pdf'] },
  invoice: { isPublic: false, maxBytes: 10 * megabyte, types: ['application/pdf', 'application/xml'] },
  label: { isPublic: false, maxBytes: 2 * megabyte, types: ['application/pdf'] },
  payout: { isPublic: false, maxBytes: 50 * megabyte, types: ['application/pdf', 'text/csv', 'application/xml'] },
  'personal-data': { isPublic: false, maxBytes: 50 * megabyte, types: ['application/json'] },
} as const satisfies Record<string, Kind>
export type FileKind = keyof typeof kinds

export function kindOf(kind: FileKind): Kind {
  return kinds[kind]
}

export function typeOf(key: string): FileType | null {
  const ending = key.slice(key.lastIndexOf('.') + 1)
  const found = Object.entries(endings).find(([, one]) => one === ending)
  return found ? (found[0] as FileType) : null
}
