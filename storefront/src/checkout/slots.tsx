import { Alert } from '@purlin/ui/alert.tsx'
import { cx } from '@purlin/ui/class-names.ts'
import type { ReactNode } from 'react'
import type { DeliverySlotsFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import funnel from './checkout.module.css'
import styles from './slots.module.css'

interface Props {
  /** Null where the address is not known yet. */
  found: DeliverySlotsFragment | null
  name: string
  chosen: string
  /** Beside other ways of delivery they are shown while theirs is chosen. */
  isAlone?: boolean
  context: ShopContext
}

/** The carrier's calendar: each day with the hours that can be chosen. */
export function Slots({ found, name, chosen, isAlone = false, context: { t } }: Props): ReactNode {
  return (
    <div className={cx(styles.slots, isAlone && styles.shown)}>
      {found === null ? (
        <p className={funnel.quiet}>{t('slot.next-step')}</p>
      ) : !found.isAvailable ? (
        <Alert severity="info">{t('slot.unavailable')}</Alert>
      ) : found.slots.length === 0 ? (
        <Alert severity="info">{t('slot.none')}</Alert>
      ) : (
        <>
          <p className={funnel.quiet}>{t('slot.text')}</p>
          {byDay(found.slots).map(([day, slots]) => (
            <fieldset key={day} className={styles.day}>
              <legend>{t('slot.day', { from: slots[0]?.from ?? day })}</legend>
              <div className={styles.hours}>
                {slots.map(({ id, from, to, isFull }) => (
                  <label key={id} className={styles.hour}>
                    <input type="radio" name={name} value={id} defaultChecked={id === chosen && !isFull} disabled={isFull} />
                    <span>
                      {t('slot.hours', { from, to })}
                      {isFull && <small> {t('slot.full')}</small>}
                    </span>
                  </label>
                ))}
              </div>
            </fieldset>
          ))}
        </>
      )}
    </div>
  )
}

function byDay(slots: DeliverySlotsFragment['slots']): [string, DeliverySlotsFragment['slots']][] {
  return Object.entries(Object.groupBy(slots, ({ id }) => id.slice(0, 10))).map(([day, own]) => [day, own ?? []])
}
