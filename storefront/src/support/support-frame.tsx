import { Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import { BackToAccount } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import type { OwnPart } from './load-part.ts'
import styles from './support.module.css'

interface Props {
  part: OwnPart
  title: string
  /** Where the link above the title leads; the order by default. */
  back?: { to: string; label: string }
  context: ShopContext
  children: ReactNode
}

/** A page of online support: what it is about, and its title. */
export function SupportFrame({ part: { order, part }, title, back, context: { t }, children }: Props): ReactNode {
  const own = {
    to: paths.orderDetails({ customerOrderId: order.id, sellerOrderId: part.id }),
    label: t('messages.order', { id: order.id }),
  }
  const [first] = part.lines
  return (
    <Container>
      <div className={`${room.alone} ${room.column}`}>
        <BackToAccount {...(back ?? own)} />
        <h1>{title}</h1>
        <div className={styles.about}>
          {first && <img src={first.imageUrl} alt="" width={64} height={64} />}
          <div>
            <p>{part.lines.length > 1 ? t('messages.more', { title: first?.title ?? '', count: part.lines.length - 1 }) : first?.title}</p>
            <p className={room.quiet}>
              {part.seller.name} · {part.stateLabel}
            </p>
          </div>
        </div>
        {children}
      </div>
    </Container>
  )
}
