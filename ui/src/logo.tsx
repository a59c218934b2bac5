import type { ReactNode } from 'react'
import styles from './logo.module.css'

const roof = 'M3 20.5 18 7.5l15 13'
const letters =
  'M49 31.5V6h8.2a7.6 7.6 0 0 1 0 15.2H49M73 12.8v10.7a6.4 6.4 0 0 0 12.8 0V12.8m0 10v8.7M95.3 31.5V12.8m0 8.2a7.4 7.4 0 0 1 8-7.3M110.5 3.5v28M119.5 12.8v18.7M128.5 31.5V12.8m0 8.4a6.4 6.4 0 0 1 12.8 0v10.3'
const pro =
  'M9 17.2V6h4.2a3.3 3.3 0 0 1 0 6.6H9M21 17.2V6h4.2a3.3 3.3 0 0 1 0 6.6H21m4 0 3.7 4.6M41.8 11.6a4.7 5.6 0 1 1-9.4 0 4.7 5.6 0 0 1 9.4 0Z'

interface LogoProps {
  isPro?: boolean
  height?: number
  /** Already on the page, as in the footer: drawn by reference. */
  again?: boolean
}

/** The logotype: a gable with its purlin, the end of the beam, and the name. Inherits its colours. */
export function Logo({ isPro, height = 30, again }: LogoProps): ReactNode {
  const width = isPro ? 206 : 144
  return (
    <svg
      className={styles.logo}
      width={Math.round((width * height) / 36)}
      height={height}
      viewBox={`0 0 ${width} 36`}
      role="img"
      aria-label={isPro ? 'Purlin Pro' : 'Purlin'}
    >
      {again ? <use href="#logo" /> : <Drawing isPro={isPro} />}
    </svg>
  )
}

function Drawing({ isPro }: { isPro?: boolean }): ReactNode {
  return (
    <g id="logo">
      <path d={roof} fill="none" stroke="currentColor" strokeWidth="5" strokeLinejoin="miter" />
      <rect className={styles.beam} x="13" y="19.5" width="10" height="12" rx="1" />
      <path d={letters} fill="none" stroke="currentColor" strokeWidth="5" />
      <rect className={styles.beam} x="116.5" y="3.5" width="6" height="6" rx=".5" />
      {isPro && (
        <g transform="translate(154 8.3)">
          <rect className={styles.beam} width="51" height="23.2" rx="4" />
          <path className={styles.pro} d={pro} fill="none" strokeWidth="2.6" />
        </g>
      )}
    </g>
  )
}
