import type { ReactNode } from 'react'
import type { PickUpPointFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './pick-up.module.css'

interface Props {
  point: Pick<PickUpPointFragment, 'name' | 'hours' | 'closed'>
  t: ShopContext['t']
}

/** Folded, with the point's name for those who hear the summaries one after the other. */
export function OpeningHours({ point: { name, hours, closed }, t }: Props): ReactNode {
  return (
    <details className={styles.hours}>
      <summary>
        {t('pick-up.hours')}
        <span className="hidden"> {name}</span>
      </summary>
      <Hours hours={hours} closed={closed} t={t} />
    </details>
  )
}

function Hours({ hours, closed, t }: Pick<PickUpPointFragment, 'hours' | 'closed'> & Pick<Props, 't'>): ReactNode {
  return (
    <ul>
      {hours.map(({ days, hours: open }) => (
        <li key={days}>
          {days} {open}
        </li>
      ))}
      {closed.map(({ from, to }) => (
        <li key={from}>{t('pick-up.closed-from', { from, to })}</li>
      ))}
    </ul>
  )
}

/** The point a part goes to: name, address, opening hours. */
export function PickUpPointBlock({ point, t }: { point: PickUpPointFragment; t: ShopContext['t'] }): ReactNode {
  return (
    <div className={styles.block}>
      <p>{pointText(point)}</p>
      <OpeningHours point={point} t={t} />
    </div>
  )
}

/** "Harrow News, 12 Church Lane, M1 7HN Manchester". */
export function pointText({ name, line1, postcode, city }: PickUpPointFragment): string {
  return `${name}, ${line1}, ${postcode} ${city}`
}
