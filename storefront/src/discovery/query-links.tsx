import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import styles from './discovery.module.css'

/** Queries as links to their landing pages. */
export function QueryLinks({ queries }: { queries: readonly { query: string; slug: string }[] }): ReactNode {
  return (
    <ul className={styles.queries}>
      {queries.map(({ query, slug }) => (
        <li key={slug}>
          <a href={paths.massLanding({ query: slug })}>{capitalised(query)}</a>
        </li>
      ))}
    </ul>
  )
}

/** A query as a title: "cordless combi drill" → "Cordless combi drill". */
export function capitalised(query: string): string {
  return query.charAt(0).toUpperCase() + query.slice(1)
}
