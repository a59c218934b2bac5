import { Container, cx, Icon } from '@purlin/ui'
import { Fragment, type ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { roomGroups, type RoomName } from './account-rooms.ts'
import styles from './account.module.css'

interface Props {
  context: ShopContext
  /** The current page; null on the account's overview. */
  here: RoomName | null
  title: string
  /** Where the link above the title leads on phones; the overview by default. */
  back?: { to: string; label: string }
  /** Next to the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Frame of an account page: its title, content, and navigation to the other pages; on phones a link back to the overview. */
export function AccountFrame({ context, here, back, title, actions, children }: Props): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.frame}>
        {back ? (
          <BackToAccount {...back} isNarrow />
        ) : (
          here !== null && <BackToAccount to={paths.customerArea()} label={t('account.title')} isNarrow />
        )}
        <nav className={styles.rooms} aria-label={t('account.title')}>
          <ul>
            <li>
              <a href={paths.customerArea()} aria-current={here === null ? 'page' : undefined}>
                <Icon name="person" size={20} />
                {t('account.overview')}
              </a>
            </li>
          </ul>
          {roomGroups(context, here).map(({ group, rooms }) => (
            <Fragment key={group}>
              <p id={`menu-${group}`}>{t(`account.group.${group}`)}</p>
              <ul aria-labelledby={`menu-${group}`}>
                {rooms.map(({ name, label, icon, href }) => (
                  <li key={name}>
                    <a href={href} aria-current={name === here ? 'page' : undefined}>
                      <Icon name={icon} size={20} />
                      {t(label)}
                    </a>
                  </li>
                ))}
              </ul>
            </Fragment>
          ))}
          <ul>
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

/** Link back to the overview; only on narrow screens, where the navigation is hidden. */
export function BackToAccount({ to, label, isNarrow }: { to: string; label: string; isNarrow?: boolean }): ReactNode {
  return (
    <a className={cx(styles.back, isNarrow && styles.narrow)} href={to}>
      <Icon name="left" size={18} />
      {label}
    </a>
  )
}
