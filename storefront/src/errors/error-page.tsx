import { Button, ButtonLink, Container, Field } from '@purlin/ui'
import type { ErrorData } from '@purlin/web/pages-options.ts'
import type { ReactNode } from 'react'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './error.module.css'

/** Filled by `gone({ alternatives })` and `notFound(forOtherRoles)` of a page. */
export interface Instead {
  /** Alternatives to an ended page. */
  alternatives?: { title: string; url: string }[]
  /** Whether colleagues with another role may see the page. */
  isForOtherRoles?: boolean
}

type Kind = 'forbidden' | 'not-found' | 'role' | 'gone' | 'too-large' | 'too-many' | 'unavailable' | 'failed'

const kinds = new Map<number, Kind>([
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'forbidden'],
  [410, 'gone'],
  [413, 'too-large'],
  [415, 'too-large'],
  [424, 'unavailable'],
  [429, 'too-many'],
  [503, 'unavailable'],
  [504, 'unavailable'],
])

export async function load(context: ShopContext) {
  const error: ErrorData = context.errorData ?? { status: 500, requestId: context.requestId, instead: null }
  const isForOtherRoles = error.status === 404 && (error.instead as Instead | null)?.isForOtherRoles === true
  const kind: Kind = isForOtherRoles ? 'role' : (kinds.get(error.status) ?? 'failed')
  return {
    data: { error, kind },
    title: context.t(`error.${kind}.title`),
    robots: 'noindex',
    status: error.status,
  }
}

/** What happened, what to do next, and a reference for internal errors. No code, no stack. */
export function Page({ data: { error, kind }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const alternatives = (error.instead as Instead | null)?.alternatives ?? []
  return (
    <Container narrow>
      <section aria-labelledby="error-title" className={styles.page}>
        <h1 id="error-title">{t(`error.${kind}.title`)}</h1>
        <p className={styles.text}>{t(`error.${kind}.text`)}</p>
        {alternatives.length > 0 && (
          <>
            <h2 className={styles.sub}>{t('error.alternatives')}</h2>
            <ul className={styles.list}>
              {alternatives.map(({ title, url }) => (
                <li key={url}>
                  <a href={url}>{title}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        {error.status < 500 && (
          <form action="/search" className={styles.search}>
            <Field id="error-search" type="search" name="query" label={t('error.search')} required maxLength={200} autoComplete="off" />
            <Button>{t('shell.search')}</Button>
          </form>
        )}
        <p>
          <ButtonLink href="/" look={error.status < 500 ? 'secondary' : 'primary'}>
            {t('error.home')}
          </ButtonLink>
        </p>
        {error.status >= 500 && <p className={styles.reference}>{t('error.reference', { reference: error.requestId })}</p>}
      </section>
    </Container>
  )
}
