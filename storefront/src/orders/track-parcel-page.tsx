import { ButtonLink } from '@purlin/ui/button.tsx'
import { Container, EmptyState } from '@purlin/ui/panel.tsx'
import type { ReactNode } from 'react'
import funnel from '../checkout/checkout.module.css'
import { TrackedParcelDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './orders.module.css'
import { ParcelEvents, ParcelStatus } from './parcel-view.tsx'

export async function load(context: ShopContext) {
  const { token = '' } = context.params
  const { trackedParcel: parcel } = await context.client.query(TrackedParcelDocument, { token })
  const title = context.t(parcel ? 'shipment.tracking.title' : 'shipment.tracking.wrong.title')
  return { data: parcel ?? null, title, robots: 'noindex', ...(!parcel && { status: 404 }) }
}

/** A parcel for anybody with its link: no names, no addresses, only the town it goes to. */
export function Page({ data: parcel, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  if (parcel === null)
    return (
      <Container>
        <EmptyState
          icon="box"
          heading="h1"
          title={t('shipment.tracking.wrong.title')}
          actions={<ButtonLink href={paths.helpCenter()}>{t('shell.help')}</ButtonLink>}
        >
          <p>{t('shipment.tracking.wrong.text')}</p>
          <p>
            <a href={paths.findOrder()}>{t('find-order.link')}</a>
          </p>
        </EmptyState>
      </Container>
    )
  const { pieceCount, sellerName, city, events } = parcel
  return (
    <Container>
      <div className={styles.single}>
        <h1>{t('shipment.tracking.title')}</h1>
        <p>{t('shipment.tracking.to', { count: pieceCount, seller: sellerName, city })}</p>
        <section className={`${funnel.panel} ${styles.parcel}`} aria-labelledby="events">
          <ParcelStatus parcel={parcel} context={context} />
          <h2 id="events">{t('shipment.events')}</h2>
          <ParcelEvents events={events} context={context} />
        </section>
        <p>
          <a href={paths.findOrder()}>{t('find-order.link')}</a>
        </p>
      </div>
    </Container>
  )
}
