// Looks at each frame of the page once all are loaded; what it sees goes into #seen as JSON.
addEventListener("load", () => {
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const look = (frame) => {
    const doc = frame.contentDocument, view = frame.contentWindow, root = doc.documentElement;
    doc.querySelectorAll("details").forEach((d) => (d.open = true));
    const all = [...doc.body.querySelectorAll("*")];
    const name = (e) => `${e.tagName} ${(e.textContent || "").trim().slice(0, 60)}`;
    // The colour behind an element: that of the nearest ancestor that has one.
    const behind = (e) => {
      for (let at = e; at; at = at.parentElement) {
        const n = numbers(view.getComputedStyle(at).backgroundColor);
        if (n.length === 3 || n[3] > 0) return n;
      }
      return [255, 255, 255];
    };
    const contrast = (e) => {
      const style = view.getComputedStyle(e), svg = e.tagName === "text";
      const [a, b] = [luminance(numbers(svg ? style.fill : style.color)), luminance(behind(e))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const texts = all.filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
    const sized = all.filter((e) => e.getBoundingClientRect().width > 0);
    const links = [...doc.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"));
    const over = (e) => {
      const box = e.getBoundingClientRect();
      const inner = !e.closest("svg") && view.getComputedStyle(e).display !== "inline" && e.scrollWidth > e.clientWidth + 1;
      return inner || box.right > root.clientWidth + 1 || box.left < -1;
    };
    return {
      width: view.innerWidth,
      dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
      too_wide: root.scrollWidth - root.clientWidth,
      overflowing: sized.filter(over).map(name),
      links: links.length,
      broken_links: links.filter((l) => !l.startsWith("#") || !doc.getElementById(l.slice(1))),
      fetched: [...doc.querySelectorAll("[src], link, script, image, use")].map(name),
      faint: texts.filter((e) => contrast(e) < 4.5).map((e) => `${name(e)} ${contrast(e).toFixed(2)}`),
      pictures: doc.querySelectorAll("svg[role=img][aria-label]").length,
      text: doc.body.innerText + [...doc.querySelectorAll("svg text")].map((t) => t.textContent).join("\n"),
    };
  };
  document.getElementById("seen").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(look));
});
