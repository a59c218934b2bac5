import type { ReactNode } from 'react'

/** Drawings whose wall is left open: its colour lies behind them. Light and shadow are laid over it in black and white. */

/** A living room: window and daylight from the left, sofa, lamp, picture and plant. */
export function RoomScene({ label }: { label: string }): ReactNode {
  return (
    <svg viewBox="0 0 800 500" role="img" aria-label={label}>
      <defs>
        <linearGradient id="daylight" x1="0" x2="1">
          <stop offset="0" stopColor="#fff" stopOpacity=".34" />
          <stop offset=".45" stopColor="#fff" stopOpacity=".06" />
          <stop offset="1" stopColor="#000" stopOpacity=".16" />
        </linearGradient>
        <linearGradient id="boards" x2="0" y2="1">
          <stop offset="0" stopColor="#b28a5c" />
          <stop offset="1" stopColor="#d2ae80" />
        </linearGradient>
        <radialGradient id="glow">
          <stop offset="0" stopColor="#fff3d0" stopOpacity=".75" />
          <stop offset="1" stopColor="#fff3d0" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="sky" x2="0" y2="1">
          <stop offset="0" stopColor="#cfe4f3" />
          <stop offset="1" stopColor="#f4f8f6" />
        </linearGradient>
      </defs>
      {/* The side wall lies in shade, the back wall in the light of the window. */}
      <path d="M0 0H120V372L0 430z" fill="#000" opacity=".2" />
      <path d="M120 0H800V372H120z" fill="url(#daylight)" />
      <path d="M120 0H800V26H120zM0 0H120V26L0 0z" fill="#fff" opacity=".92" />
      <path d="M230 60h150v190H230z" fill="#fff" />
      <path d="M240 70h60v170h-60zM310 70h60v170h-60z" fill="url(#sky)" />
      <path d="M240 190q30-26 60-8v58h-60zM310 186q36-18 60 4v50h-60z" fill="#a9c29a" />
      <path d="M218 250h174v12H218z" fill="#f5f3ee" />
      <path d="M206 48q18 120 4 214h30q8-110-2-214zM404 48q-18 120-4 214h-30q-8-110 2-214z" fill="#f7f4ec" opacity=".95" />
      <path d="M196 44h218v7H196z" fill="#5b4a38" />
      {/* Sunlight falls on the wall. */}
      <path d="M440 110l150 26v170l-150-44z" fill="#fff" opacity=".13" />
      <path d="M0 430L120 372H800V500H0z" fill="url(#boards)" />
      <path
        d="M0 452L800 404M0 478L800 440M180 372l-90 128M330 372l-40 128M480 372v128M630 372l50 128M760 372l110 128"
        stroke="#8c683f"
        strokeOpacity=".35"
        fill="none"
      />
      <path d="M120 360H800v14H120zM0 414l120-54v14L0 430z" fill="#fbfaf7" />
      <ellipse cx="560" cy="452" rx="210" ry="34" fill="#efe7d8" />
      <ellipse cx="560" cy="450" rx="176" ry="25" fill="none" stroke="#c9b99a" strokeWidth="3" />
      <g>
        <ellipse cx="560" cy="424" rx="172" ry="15" opacity=".24" />
        <rect x="424" y="290" width="272" height="96" rx="22" fill="#6f7f7c" />
        <rect x="436" y="336" width="124" height="56" rx="13" fill="#80918d" />
        <rect x="562" y="336" width="124" height="56" rx="13" fill="#7a8b87" />
        <rect x="398" y="324" width="46" height="90" rx="18" fill="#657572" />
        <rect x="676" y="324" width="46" height="90" rx="18" fill="#5a6967" />
        <rect x="412" y="386" width="296" height="28" rx="8" fill="#5e6e6b" />
        <path d="M430 412v16M690 412v16" stroke="#5b4a38" strokeWidth="8" />
        <path d="M458 318l44-16 14 42-46 12z" fill="#e9c77b" />
        <path d="M626 306l42 8-6 44-44-10z" fill="#f3efe6" />
      </g>
      <g>
        <path d="M486 92h148v118H486z" fill="#3f372f" />
        <path d="M494 100h132v102H494z" fill="#faf7f0" />
        <path d="M512 186q26-56 48-26t52-36v62z" fill="#b9c4bd" />
        <circle cx="594" cy="128" r="13" fill="#e9b46a" />
      </g>
      <g>
        <circle cx="752" cy="190" r="120" fill="url(#glow)" />
        <path d="M752 226v192" stroke="#3b3b3b" strokeWidth="6" />
        <path d="M724 160h56l18 68h-92z" fill="#fbf1d8" />
        <ellipse cx="752" cy="420" rx="30" ry="7" fill="#3b3b3b" />
      </g>
      <g>
        <ellipse cx="176" cy="432" rx="46" ry="9" opacity=".22" />
        <path d="M176 372q-52-40-62-104 42 26 58 82 2-78 30-122 24 66-8 126 26-44 56-58-8 52-60 82z" fill="#4f7a55" />
        <path d="M176 372q-40-30-50-70 34 20 46 54 6-50 22-80 12 44-6 84z" fill="#6a9a6d" />
        <path d="M144 368h66l-10 64h-46z" fill="#c4714b" />
        <path d="M140 362h74v14h-74z" fill="#d4835c" />
      </g>
    </svg>
  )
}

/** A house front with door, windows and garden, for paint and stain outside. */
export function HouseScene({ label }: { label: string }): ReactNode {
  return (
    <svg viewBox="0 0 800 500" role="img" aria-label={label}>
      <defs>
        <linearGradient id="outside-sky" x2="0" y2="1">
          <stop offset="0" stopColor="#bcd9ee" />
          <stop offset="1" stopColor="#eef5f4" />
        </linearGradient>
        <linearGradient id="sun" x1="0" x2="1">
          <stop offset="0" stopColor="#fff" stopOpacity=".22" />
          <stop offset="1" stopColor="#000" stopOpacity=".18" />
        </linearGradient>
      </defs>
      {/* The sky around the front, which is left open. */}
      <path d="M0 0H800V420H700V190H100V420H0z" fill="url(#outside-sky)" />
      <path d="M100 190H700V420H100z" fill="url(#sun)" />
      <path d="M100 246h600M100 302h600M100 358h600" stroke="#000" strokeOpacity=".09" strokeWidth="2" />
      <path d="M56 198L170 70H630L744 198z" fill="#7d4a3c" />
      <path d="M56 198L170 70H630L744 198z" fill="#000" opacity=".08" />
      <path d="M84 166H716M112 134H688M140 102H660" stroke="#5d352a" strokeWidth="3" />
      <path d="M50 194H750v14H50z" fill="#f7f5f0" />
      <path d="M100 208H700v16H100z" opacity=".14" />
      {[164, 540].map((x) => (
        <g key={x}>
          <path d={`M${x - 8} 250h112v110h-112z`} fill="#fff" />
          <path d={`M${x} 258h44v94h-44zM${x + 52} 258h44v94h-44z`} fill="#9fbccd" />
          <path d={`M${x} 258h44l-44 60zM${x + 52} 258h44l-44 60z`} fill="#fff" opacity=".4" />
          <path d={`M${x - 14} 360h124v10h-124z`} fill="#ece8df" />
          <path d={`M${x - 4} 360h104v-14q-14-16-26 0-12-18-26 0-12-18-26 0-14-16-26 0z`} fill="#5d8a55" />
        </g>
      ))}
      <path d="M346 246h108v174H346z" fill="#fff" />
      <path d="M356 256h88v164h-88z" fill="#2f4a5c" />
      <path d="M368 270h28v56h-28zM404 270h28v56h-28zM368 340h28v64h-28zM404 340h28v64h-28z" fill="#263d4c" />
      <circle cx="434" cy="344" r="5" fill="#e3b04b" />
      <path d="M320 414h160v14H320z" fill="#cfc8bb" />
      <path d="M0 420H800V500H0z" fill="#8fae74" />
      <path d="M352 428h96l70 72H282z" fill="#d9d2c4" />
      <ellipse cx="90" cy="424" rx="84" ry="44" fill="#5d8a55" />
      <ellipse cx="170" cy="434" rx="60" ry="28" fill="#6f9d64" />
      <ellipse cx="706" cy="428" rx="90" ry="48" fill="#557f4e" />
      <ellipse cx="620" cy="438" rx="56" ry="24" fill="#6f9d64" />
    </svg>
  )
}
