import { Alert, Button, ButtonLink, EmptyState } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { Enhance } from '@purlin/web/enhance.tsx'
import { choice, text } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import {
  DropSavedCardDocument,
  MySavedCardsDocument,
  PreferSavedCardDocument,
  type RefusalFragment,
  type SavedCardFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './account.module.css'
import own from './wallet-page.module.css'

export async function load(context: ShopContext) {
  const { mySavedCards: cards } = await context.client.query(MySavedCardsDocument)
  return { data: { cards }, title: context.t('cards.title'), robots: 'noindex' }
}

const cardForm = v.object({ do: choice(['prefer', 'drop']), id: text(40) })
const field = namesOf(cardForm)
const told = { prefer: 'flash.card-preferred', drop: 'flash.card-dropped' } as const

export const action = formAction(cardForm, async ({ client }: ShopContext, { do: what, id }) => {
  const answer = await client.mutate(what === 'prefer' ? PreferSavedCardDocument : DropSavedCardDocument, { id })
  const refusal = answer?.result.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.savedCards(), { severity: 'success', key: told[what] })
})

/** The cards saved with the payment provider. Cards are added at checkout, in the provider's own fields. */
export function Page({ data: { cards }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="savedCards" title={t('cards.title')}>
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {cards.length === 0 ? (
        <EmptyState icon="card" title={t('cards.none')} actions={<ButtonLink href={paths.cart()}>{t('cart.title')}</ButtonLink>}>
          <p>{t('cards.none.text')}</p>
        </EmptyState>
      ) : (
        <Enhance with="settings" when="interact">
          <DropDialog context={context} />
          <p className={styles.quiet}>{t('cards.intro')}</p>
          <ExpiryNotices cards={cards} context={context} />
          <ul className={styles.cards}>
            {cards.map((card) => (
              <SavedCard key={card.id} card={card} context={context} />
            ))}
          </ul>
          <p className={styles.quiet}>{t('cards.how')}</p>
        </Enhance>
      )}
    </AccountFrame>
  )
}

function ExpiryNotices({ cards, context: { t } }: { cards: readonly SavedCardFragment[]; context: ShopContext }): ReactNode {
  return (['expired', 'expiring'] as const).map((state) => {
    const count = cards.filter((card) => card.state === state).length
    return (
      count > 0 && (
        <Alert key={state} severity={state === 'expired' ? 'warning' : 'info'} title={t(`cards.notice.${state}`, { count })}>
          <p>{t(`cards.notice.${state}.text`)}</p>
        </Alert>
      )
    )
  })
}

function SavedCard({ card, context: { t } }: { card: SavedCardFragment; context: ShopContext }): ReactNode {
  const { id, brand, last4, expires, state, isDefault, savedAt } = card
  const name = t('cards.name', { brand, last4 })
  return (
    <li className={styles.card}>
      {(isDefault || state !== 'valid') && (
        <p className={styles.marks}>
          {isDefault && <span className={`${styles.state} ${styles.runs}`}>{t('cards.is-default')}</span>}
          {state === 'expiring' && <span className={`${styles.state} ${styles.waits}`}>{t('cards.expires-soon')}</span>}
          {state === 'expired' && <span className={`${styles.state} ${styles.ended}`}>{t('cards.is-expired')}</span>}
        </p>
      )}
      <h2>{name}</h2>
      <div>
        <p>{t('cards.until', { expires })}</p>
        <p className={styles.quiet}>{t('cards.saved', { date: savedAt })}</p>
      </div>
      <div className={styles.cardActions}>
        {!isDefault && state !== 'expired' && (
          <form method="post">
            <input type="hidden" name={field('id')} value={id} />
            <Button look="secondary" size="s" name={field('do')} value="prefer" aria-label={t('cards.prefer-of', { name })}>
              {t('cards.prefer')}
            </Button>
          </form>
        )}
        <form method="post" data-saved={name}>
          <input type="hidden" name={field('id')} value={id} />
          <input type="hidden" name={field('do')} value="drop" />
          <Button look="quiet" size="s" aria-label={t('cards.drop-of', { name })}>
            {t('cards.drop')}
          </Button>
        </form>
      </div>
    </li>
  )
}

/** Opened by a script before a card is deleted; without one it is deleted at once. */
function DropDialog({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <dialog className={`${own.dialog} on-page`} data-saved-card aria-labelledby="drop-card">
      <form method="dialog" className={styles.form}>
        <h2 id="drop-card">{t('cards.confirm.title')}</h2>
        <p>{t.rich('cards.confirm.text', { name: () => <strong data-card-name /> })}</p>
        <p className={styles.actions}>
          <Button value="drop">{t('cards.confirm.drop')}</Button>
          <Button look="secondary" value="" autoFocus>
            {t('cards.confirm.keep')}
          </Button>
        </p>
      </form>
    </dialog>
  )
}
