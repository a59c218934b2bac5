import { Breadcrumb, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import { BrandsDocument, type BrandsQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import styles from './brands.module.css'

type ListedBrand = BrandsQuery['brands'][number]

export async function load({ client, t, origin, locale }: ShopContext) {
  const { brands } = await client.query(BrandsDocument)
  const title = t('brand.all.title')
  return {
    data: { letters: byLetter(brands, locale) },
    title,
    description: t('brand.all.description', { count: brands.length }),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: title, url: paths.ourBrands() }])],
  }
}

/** All brands from A to Z, with the number of products on their pages. */
export function Page({ data: { letters }, context }: PageProps<typeof load>): ReactNode {
  const { t, formats } = context
  return (
    <Container>
      <div className={styles.page}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('brand.all.title')} />
        <h1>{t('brand.all.title')}</h1>
        {letters.length === 0 && <p>{t('brand.all.none')}</p>}
        {letters.length > 1 && (
          <nav aria-label={t('brand.all.letters')}>
            <ul className={styles.letters}>
              {letters.map(({ letter }) => (
                <li key={letter}>
                  <a href={`#brands-${anchorOf(letter)}`}>{letter}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {letters.map(({ letter, brands }) => (
          <section key={letter} aria-labelledby={`brands-${anchorOf(letter)}`}>
            <h2 id={`brands-${anchorOf(letter)}`}>{letter}</h2>
            <ul className={styles.brands}>
              {brands.map(({ id, name, url, productCount }) => (
                <li key={id}>
                  <a href={url}>{name}</a>
                  {productCount !== null && (
                    <span className={styles.count} aria-label={t('brand.all.count', { count: productCount })}>
                      {formats.number(productCount)}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Container>
  )
}

/** Brands by initial letter, ignoring accents; digits and other characters come last. */
function byLetter(brands: readonly ListedBrand[], locale: string): { letter: string; brands: ListedBrand[] }[] {
  const groups = new Map<string, ListedBrand[]>()
  for (const brand of brands) {
    const first = brand.name.normalize('NFD').charAt(0).toLocaleUpperCase(locale)
    const letter = /^[A-Z]$/.test(first) ? first : '#'
    groups.set(letter, [...(groups.get(letter) ?? []), brand])
  }
  const rank = (letter: string) => (letter === '#' ? '~' : letter)
  return [...groups].map(([letter, of]) => ({ letter, brands: of })).toSorted((a, b) => (rank(a.letter) < rank(b.letter) ? -1 : 1))
}

const anchorOf = (letter: string) => (letter === '#' ? 'other' : letter.toLowerCase())
