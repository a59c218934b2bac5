import { Alert } from '@purlin/ui/alert.tsx'
import { Button } from '@purlin/ui/button.tsx'
import type { ReactNode } from 'react'
import type { NearbyPointFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { distanceText } from './distance.ts'
import funnel from './checkout.module.css'
import { OpeningHours } from './opening-hours.tsx'
import { PickUpMap } from './pick-up-map.tsx'
import styles from './pick-up.module.css'
import type { PointsNear } from './points-near.ts'

interface Props {
  sellerId: number
  /** Null before a postcode is known. */
  found: PointsNear | null
  name: string
  chosen: string
  context: ShopContext
}

/** The points near a postcode as a list and on a map, below the delivery to them; shown while it is chosen. */
export function PickUpPoints({ sellerId, found, name, chosen, context }: Props): ReactNode {
  const { t } = context
  return (
    <div className={styles.points} data-points={sellerId} data-chosen={chosen}>
      {found === null ? (
        <p className={funnel.quiet}>{t('pick-up.next-step')}</p>
      ) : (
        <>
          <Search found={found} sellerId={sellerId} t={t} />
          <Found found={found} sellerId={sellerId} name={name} chosen={chosen} context={context} />
        </>
      )}
    </div>
  )
}

function Search({ found, sellerId, t }: { found: PointsNear; sellerId: number; t: ShopContext['t'] }): ReactNode {
  const id = `near-${sellerId}`
  return (
    <div className={styles.search}>
      <label htmlFor={id}>{t('pick-up.near')}</label>
      <input id={id} form="near" name="near" defaultValue={found.near ?? found.typed} maxLength={10} autoComplete="off" data-near />
      <Button form="near" look="secondary" data-near-search>
        {t('pick-up.search')}
      </Button>
    </div>
  )
}

function Found({ found, sellerId, name, chosen, context }: Omit<Props, 'found'> & { found: PointsNear }): ReactNode {
  const { t } = context
  if (!found.isAvailable) return <Alert severity="info">{t('pick-up.unavailable')}</Alert>
  if (found.points.length === 0) return <Alert severity="info">{t('pick-up.none', { postcode: found.near ?? found.typed })}</Alert>
  return (
    <>
      <p className={funnel.quiet}>
        <span data-points-found>{t('pick-up.found', { count: found.points.length, postcode: found.near ?? found.typed })}</span>
      </p>
      <p className={funnel.quiet}>{t('pick-up.held', { days: 7 })}</p>
      <div className={styles.mapAndList}>
        <PickUpMap found={found} context={context} />
        <ol className={styles.list}>
          {found.points.map((point, index) => (
            <Point key={point.id} point={point} index={index} sellerId={sellerId} name={name} chosen={chosen} context={context} />
          ))}
        </ol>
      </div>
    </>
  )
}

interface PointProps extends Pick<Props, 'sellerId' | 'name' | 'chosen' | 'context'> {
  point: NearbyPointFragment
  index: number
}

function Point({ point, index, sellerId, name, chosen, context }: PointProps): ReactNode {
  const { t } = context
  const id = `point-${sellerId}-${point.id}`
  return (
    <li className={styles.point}>
      <label className={styles.pick} htmlFor={id}>
        <input
          id={id}
          type="radio"
          name={name}
          value={point.id}
          defaultChecked={point.id === chosen && !point.isFull}
          disabled={point.isFull}
        />
        <span className={styles.number}>{index + 1}</span>
        <span className={styles.place}>
          {point.name}
          <span>
            {point.line1}, {point.postcode} {point.city}
          </span>
          <span className={styles.about}>
            <span>{distanceText(point.distance, context)}</span>
            <span>{t(point.kind === 'LOCKER' ? 'pick-up.kind.locker' : 'pick-up.kind.shop')}</span>
            {point.isFull && <strong>{t('pick-up.full')}</strong>}
          </span>
        </span>
      </label>
      <OpeningHours point={point} t={t} />
    </li>
  )
}
