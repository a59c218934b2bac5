import { Container, cx, Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { accountRooms, type RoomName } from './account-rooms.ts'
import styles from './account.module.css'

interface Props {
  context: ShopContext
  /** The page shown; null on the first page of the account. */
  here: RoomName | null
  title: string
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the account: its title, the page, and the way to the other pages; on a phone the way back to the first. */
export function AccountFrame({ context, here, title, actions, children }: Props): ReactNode {
  const { t } = context
  const rooms = accountRooms(context)
  return (
    <Container>
      <div className={styles.frame}>
        {here !== null && <BackToAccount to={paths.customerArea()} label={t('account.title')} isNarrow />}
        <nav className={styles.rooms} aria-label={t('account.title')}>
          <ul>
            <li>
              <a href={paths.customerArea()} aria-current={here === null ? 'page' : undefined}>
                <Icon name="person" size={20} />
                {t('account.overview')}
              </a>
            </li>
            {rooms.map(({ name, label, icon, href }) => (
              <li key={name}>
                <a href={href} aria-current={name === here ? 'page' : undefined}>
                  <Icon name={icon} size={20} />
                  {t(label)}
                </a>
              </li>
            ))}
            <li>
              <a href={paths.authPreLogout()}>
                <Icon name="left" size={20} />
                {t('shell.sign-out')}
              </a>
            </li>
          </ul>
        </nav>
        <div className={styles.page}>
          <div className={styles.head}>
            <h1>{title}</h1>
            {actions}
          </div>
          {children}
        </div>
      </div>
    </Container>
  )
}

/** The way back; within the frame on narrow screens only, where its navigation is not shown. */
export function BackToAccount({ to, label, isNarrow }: { to: string; label: string; isNarrow?: boolean }): ReactNode {
  return (
    <a className={cx(styles.back, isNarrow && styles.narrow)} href={to}>
      <Icon name="left" size={18} />
      {label}
    </a>
  )
}
