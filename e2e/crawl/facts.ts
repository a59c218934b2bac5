/** Facts of a rendered page that search engines and budgets look at. */
export interface PageFacts {
  /** Name of the route, as the document carries it. */
  page: string
  status: number
  title: string
  description: string
  canonical: string | null
  noindex: boolean
  alternates: { hreflang: string; href: string }[]
  /** Values of href on the page, decoded, in order. */
  links: string[]
  /** Ids on the page, for links to a part of it. */
  ids: Set<string>
  pictures: string[]
  jsonLd: string[]
  styles: string[]
  scripts: string[]
  cards: number
  elements: number
  bytes: number
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole: string, hex?: string, number?: string, name?: string) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16))
    if (number) return String.fromCodePoint(Number(number))
    return entities[name ?? ''] ?? whole
  })
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => decodeEntities(found))
const first = (text: string, pattern: RegExp): string => decodeEntities(pattern.exec(text)?.[1] ?? '')

export function factsOf(body: string): PageFacts {
  const head = /<head[^]*?<\/head>/.exec(body)?.[0] ?? ''
  // The content of templates is no part of the page until a script takes it.
  const rendered = body.replace(/<template\b[^]*?<\/template>/g, '')
  return {
    page: first(body, /<html[^>]* data-page="([^"]*)"/),
    status: Number(first(body, /<html[^>]* data-status="(\d+)"/)) || 200,
    title: first(head, /<title>([^]*?)<\/title>/),
    description: first(head, /<meta name="description" content="([^"]*)"/),
    canonical: first(head, /<link rel="canonical" href="([^"]*)"/) || null,
    noindex: /noindex/.test(first(head, /<meta name="robots" content="([^"]*)"/)),
    alternates: [...head.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(([, hreflang = '', href = '']) => ({
      hreflang,
      href: decodeEntities(href),
    })),
    links: all(rendered, /<a\b[^>]*? href="([^"]*)"/g),
    ids: new Set(all(rendered, / id="([^"]*)"/g)),
    pictures: all(rendered, /<img\b[^>]*? src="([^"]*)"/g),
    jsonLd: [...head.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)].map(([, data = '']) => data),
    styles: all(head, /<link rel="stylesheet" href="([^"]*)"/g),
    scripts: all(head, /<script type="module" src="([^"]*)"/g),
    cards: rendered.match(/<li data-card/g)?.length ?? 0,
    elements: rendered.match(/<[a-z][a-z0-9-]*[\s>/]/g)?.length ?? 0,
    bytes: Buffer.byteLength(body),
  }
}
