import type { ReactNode } from 'react'
import type { ExceededLimitFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

const kinds = { MEMBER: 'other', COST_CENTRE: 'centre', SITE: 'site' } as const

/** The limits an order exceeds, each with what it still allows. */
export function Limits({ limits, context: { t } }: { limits: readonly ExceededLimitFragment[]; context: ShopContext }): ReactNode {
  return (
    <ul>
      {limits.map(({ kind, limit, left }) => (
        <li key={`${kind} ${limit}`}>
          {limit === 'CURRENCY'
            ? t('approval.limit.currency', { kind: kinds[kind] })
            : t(limit === 'ORDER' ? 'approval.limit.order' : 'approval.limit.month', { kind: kinds[kind], left: left.formatted })}
        </li>
      ))}
    </ul>
  )
}
