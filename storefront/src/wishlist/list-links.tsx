import type { ReactNode } from 'react'
import type { ListOfSiteFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './wishlist.module.css'

export type NamedList = ListOfSiteFragment

interface Props {
  title: string
  heading: 'h2' | 'h3'
  lists: readonly NamedList[]
  /** Where a list leads; to the list itself by default. */
  hrefOf?: (list: NamedList) => string
  /** Whether to name each list's building site. */
  saysSite?: boolean
  context: ShopContext
}

/** Lists of building sites, as links with the number of their products. */
export function ListLinks({ title, heading: Heading, lists, hrefOf, saysSite, context: { t } }: Props): ReactNode {
  const nameOf = ({ name, site }: NamedList) =>
    saysSite && site ? t('wishlist.name-of-site', { name: name ?? t('wishlist.first'), site: site.name }) : (name ?? t('wishlist.first'))
  return (
    <section className={styles.links}>
      <Heading>{title}</Heading>
      <ul>
        {lists.map((list) => (
          <li key={list.id}>
            <a href={hrefOf?.(list) ?? paths.wishlist({ id: list.id })}>
              {t('wishlist.list-with-count', { name: nameOf(list), count: list.count })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
