/** The JPEG of a drawn product picture: merchant centres and social networks take no SVG. Null for other drawings. */
export function rasterUrl(url: string, shape: 'feed' | 'share'): string | null {
  if (!/\.svg(?:\?|$)/.test(url)) return url
  const drawn = /^\/pictures\/p\/(\d+)\/\w+\.svg(\?.*)?$/.exec(url)
  return drawn && `/pictures/p/${drawn[1]}/${shape}.jpg${drawn[2] ?? ''}`
}
