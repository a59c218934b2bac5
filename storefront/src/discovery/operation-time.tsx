import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { ShownOperationFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './discovery.module.css'

type Times = Pick<ShownOperationFragment, 'state' | 'startsAt' | 'endsAt'>

/** The start or end of an operation; with scripts, a countdown to it. */
export function OperationTime({
  operation: { state, startsAt, endsAt },
  context: { t, catalogue },
}: {
  operation: Times
  context: ShopContext
}): ReactNode {
  if (state === 'ended') return <p className={styles.when}>{t('discovery.operation.ended', { at: endsAt })}</p>
  const isRunning = state === 'running'
  return (
    <div className={styles.when}>
      <p>{isRunning ? t('discovery.operation.until', { at: endsAt }) : t('discovery.operation.from', { at: startsAt })}</p>
      {isRunning && (
        <Enhance with="countdown" when="idle">
          <p className={styles.clock} data-until={endsAt} data-words={JSON.stringify(catalogue['discovery.operation.left'])} hidden />
        </Enhance>
      )}
    </div>
  )
}
