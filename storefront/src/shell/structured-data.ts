/** The breadcrumb of a page in schema.org's format. */
export function breadcrumbData(origin: string, home: string, trail: readonly { name: string; url: string }[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: home, url: '/' }, ...trail].map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + url,
    })),
  }
}
