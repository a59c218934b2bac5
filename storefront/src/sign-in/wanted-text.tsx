import type { PlainKey } from '@purlin/words/catalogues.ts'
import { Alert } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './sign-in.module.css'

interface WantedPage {
  title: PlainKey
  lead: PlainKey
  points?: readonly PlainKey[]
}

const financing: WantedPage = {
  title: 'financing.title',
  lead: 'financing.lead',
  points: ['financing.who.company', 'financing.who.check', 'financing.ask.text'],
}

/** Pages of Purlin Pro that public pages link to and that need an account of a company: what one gets there. */
const pages: Readonly<Record<string, WantedPage>> = {
  [paths.billie()]: {
    title: 'credit.page.title',
    lead: 'credit.page.lead',
    points: ['credit.page.how.choose', 'credit.page.how.decide', 'credit.page.how.ship', 'credit.page.how.pay', 'credit.page.who.company'],
  },
  [paths.financing()]: financing,
  [paths.financingDetails()]: financing,
  [paths.loyaltyLanding()]: { title: 'loyalty.title', lead: 'loyalty.lead' },
  [paths.loyaltyProgramFaq()]: { title: 'loyalty.title', lead: 'loyalty.lead' },
  [paths.quotes()]: { title: 'quote.title', lead: 'quote.room' },
  [paths.companyBudgets()]: { title: 'budget.title', lead: 'budget.text' },
  [paths.companyPunchOut()]: { title: 'punch-out.title', lead: 'punch-out.lead' },
  [paths.buyAgain()]: { title: 'again.title', lead: 'again.text' },
}

/** The page of Purlin Pro that a callback leads to; undefined for all others. */
export function wantedPageOf(callback: string): WantedPage | undefined {
  const path = callback.split(/[?#]/, 1)[0] ?? ''
  return Object.hasOwn(pages, path) ? pages[path] : undefined
}

/** Why a visitor has come to the sign-in page instead, and what the page is about. */
export function WantedPageText({ page, context: { t } }: { page: WantedPage; context: ShopContext }): ReactNode {
  return (
    <>
      <Alert severity="info">
        <p>{t('sign-in.wanted', { page: t(page.title) })}</p>
      </Alert>
      <section className={styles.wanted} aria-labelledby="wanted">
        <h2 id="wanted">{t(page.title)}</h2>
        <p>{t(page.lead)}</p>
        {page.points && (
          <ul>
            {page.points.map((point) => (
              <li key={point}>{t(point)}</li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
