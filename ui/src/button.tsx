import type { ButtonHTMLAttributes, AnchorHTMLAttributes, ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './button.module.css'

interface Look {
  /** `primary`: the main action of a page. */
  look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 's' | 'm' | 'l'
  wide?: boolean
  icon?: IconName
  children: ReactNode
}

export type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement>

export function Button({
  look = 'primary',
  size = 'm',
  wide,
  icon,
  children,
  className,
  type = 'submit',
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button type={type} className={cx(classOf(look, size, wide), className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export type ButtonLinkProps = Look & AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

/** A link that looks like a button: for navigation, never for actions. */
export function ButtonLink({ look = 'primary', size = 'm', wide, icon, children, className, ...rest }: ButtonLinkProps): ReactNode {
  return (
    <a className={cx(classOf(look, size, wide), className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  )
}

function classOf(look: string, size: string, wide?: boolean): string {
  return cx(styles.button, styles[look], styles[size], wide && styles.wide)
}
