/** A frame as high as the HIT asks; one that asks for 0 fills the window, which the style sheet does. */

for (const frame of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-frame]"))) {
  const height = Number(frame.dataset.height);
  if (height > 0) frame.style.height = `${height}px`;
}
