import { Panel } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from '../errors/error.module.css'
import { CartDocument } from '../generated/documents.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load({ client, t }: ShopContext) {
  const { cart } = await client.query(CartDocument)
  return { data: { cart, at: new Date().toISOString() }, title: t('offline.title'), robots: 'noindex' }
}

/** The visitor's basket to read without a connection, for the service worker to store. */
export function Page({ data: { cart, at }, context: { t, formats } }: PageProps<typeof load>): ReactNode {
  const lines = cart.sellers.flatMap((seller) => seller.lines)
  return (
    <section data-offline-basket hidden={lines.length === 0}>
      <Panel title={t('offline.basket', { time: formats.dateTime(at) })}>
        <ul className={styles.list}>
          {lines.map((line) => (
            <li key={line.offerId}>{t('offline.line', { quantity: line.quantity, title: line.title, price: line.total.formatted })}</li>
          ))}
          <li>
            <b>{t('offline.total', { total: cart.totals.totalWithVat.formatted })}</b>
          </li>
        </ul>
      </Panel>
    </section>
  )
}
