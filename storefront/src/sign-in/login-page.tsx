import { storefrontChoice, storefrontCookie } from '@purlin/contract/site-settings.ts'
import { Alert, ButtonLink, Container } from '@purlin/ui'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadAreLinked } from '../shell/linked-storefronts.ts'
import { callbackOf, registerHref, signInHref } from './callback.ts'
import styles from './sign-in.module.css'
import { wantedPageOf, WantedPageText } from './wanted-text.tsx'

const notes = new Map<string, 'required' | 'company-order'>([
  ['SessionRequired', 'required'],
  ['CompanyOrder', 'company-order'],
])

export async function load(context: ShopContext) {
  const callback = callbackOf(context)
  const { error } = context.query
  const hasError = typeof error === 'string' && error !== ''
  if (!hasError && (await context.principal()).kind !== 'guest') return redirect(302, callback)
  const note = hasError ? (notes.get(error) ?? ('failed' as const)) : null
  const data = { callback, note, isLinked: await loadAreLinked(context) }
  return { data, title: context.t('sign-in.title', { mode: wordsMode(context) }), robots: 'noindex' }
}

/** The page before the identity provider's: sign-in, registration, and the link to the other storefront. */
export function Page({ data: { callback, note, isLinked }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const mode = wordsMode(context)
  // Through the exchange, which remembers the choice for the next visit.
  const exchange = mode === 'b2b' ? paths.exchangeToB2c : paths.exchangeToPro
  const there =
    isLinked &&
    context.otherModeUrl() &&
    t.rich(
      'sign-in.other',
      {
        there: (words) => (
          <a href={exchange({}, { callbackUrl: callback })} rel="nofollow">
            {words}
          </a>
        ),
      },
      { mode },
    )
  const wanted = wantedPageOf(callback)
  const cameFromThere = context.cookies[storefrontCookie] === storefrontChoice(context.mode === 'b2b' ? 'b2c' : 'b2b')
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('sign-in.title', { mode })}</h1>
        {note && !(wanted && note === 'required') && (
          <Alert severity={note === 'failed' ? 'warning' : 'info'} announces>
            <p>{t(`sign-in.${note}`)}</p>
          </Alert>
        )}
        {cameFromThere && there && (
          <Alert severity="info">
            <p>{there}</p>
          </Alert>
        )}
        {wanted ? <WantedPageText page={wanted} context={context} /> : <p className={styles.text}>{t('sign-in.text', { mode })}</p>}
        <p>
          <ButtonLink href={signInHref(callback)} size="l" rel="nofollow">
            {t('sign-in.go')}
          </ButtonLink>
        </p>
        <p>
          <a href={paths.forgotPassword({}, { callbackUrl: callback })}>{t('sign-in.forgot')}</a>
        </p>
        <p>
          <a href={paths.findOrder()}>{t('find-order.link')}</a>
        </p>
        <section className={styles.new} aria-labelledby="new">
          <h2 id="new">{t('sign-in.new')}</h2>
          <p>{t('sign-in.new.text', { mode })}</p>
          <ButtonLink href={registerHref(callback)} look="secondary" rel="nofollow">
            {t('sign-in.register')}
          </ButtonLink>
        </section>
        {!cameFromThere && there && <p>{there}</p>}
      </div>
    </Container>
  )
}

function wordsMode({ mode }: ShopContext): 'b2b' | 'other' {
  return mode === 'b2b' ? 'b2b' : 'other'
}
