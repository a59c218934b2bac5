import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import styles from './discovery.module.css'

/** Queries as links to their landing pages. */
export function QueryLinks({ queries }: { queries: readonly { label: string; slug: string }[] }): ReactNode {
  return (
    <ul className={styles.queries}>
      {queries.map(({ label, slug }) => (
        <li key={slug}>
          <a href={paths.massLanding({ query: slug })}>{label}</a>
        </li>
      ))}
    </ul>
  )
}
