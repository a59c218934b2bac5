import { Button } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import { choice } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

export const lostForm = v.object({ do: choice(['lost']) })
const field = namesOf(lostForm)

/** Reports lost goods with one tap, which leads to the dispute. */
export function LostParcel({ orderId, context: { t } }: { orderId: string; context: ShopContext }): ReactNode {
  return (
    <form method="post" action={paths.onlineSupport({ orderId }, { about: 'delivery' })}>
      <p>{t('support.lost.text')}</p>
      <p>
        <Button name={field('do')} value="lost">
          {t('support.lost.do')}
        </Button>
      </p>
    </form>
  )
}
