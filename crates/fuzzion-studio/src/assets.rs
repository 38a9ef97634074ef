//! The files of the page, embedded in the binary.

use crate::http::Response;

/// Paths in the URL and contents.
macro_rules! assets {
    ($($path:literal)+) => {
        pub(crate) const ASSETS: &[(&str, &str)] = &[$(($path, include_str!(concat!("../page/", $path)))),+];
    };
}

assets! {
    "icon.svg"
    "index.html"
    "js/main.js"
    "js/tabs.js"
    "js/views.js"
    "style/base.css"
    "style/controls.css"
    "style/data.css"
    "style/design.css"
    "style/numbers.css"
    "style/start.css"
    "style/understand.css"
    "js/core/api.js"
    "js/core/choices.js"
    "js/core/dialog.js"
    "js/core/dom.js"
    "js/core/live.js"
    "js/core/notice.js"
    "js/core/rebuild.js"
    "js/core/sliders.js"
    "js/core/store.js"
    "js/core/virtual-list.js"
    "js/data/cluster-result.js"
    "js/data/clusters.js"
    "js/data/column-picker.js"
    "js/data/columns.js"
    "js/data/histogram.js"
    "js/data/job-bar.js"
    "js/data/marks.js"
    "js/data/matrix.js"
    "js/data/open.js"
    "js/data/run.js"
    "js/data/save.js"
    "js/data/scatter-figure.js"
    "js/data/scatter-plot.js"
    "js/data/scatter.js"
    "js/data/state.js"
    "js/data/view.js"
    "js/design/output-settings.js"
    "js/design/rule-field.js"
    "js/design/rule-list.js"
    "js/design/rule-matrix.js"
    "js/design/rule-table.js"
    "js/design/rules-panel.js"
    "js/design/selection.js"
    "js/design/set-drag.js"
    "js/design/set-row.js"
    "js/design/variable-editor.js"
    "js/design/variable-list.js"
    "js/design/view.js"
    "js/files/menu.js"
    "js/files/read.js"
    "js/model/edit.js"
    "js/model/rule-text.js"
    "js/model/shapes.js"
    "js/numbers/formula.js"
    "js/numbers/methods.js"
    "js/numbers/result.js"
    "js/numbers/state.js"
    "js/numbers/values.js"
    "js/numbers/view.js"
    "js/plot/axis.js"
    "js/plot/canvas.js"
    "js/plot/colors.js"
    "js/plot/heat-map.js"
    "js/plot/line-chart.js"
    "js/plot/set-chart.js"
    "js/plot/surface-3d.js"
    "js/start/pendulum.js"
    "js/start/thumbnail.js"
    "js/start/view.js"
    "js/understand/checks.js"
    "js/understand/compare.js"
    "js/understand/inputs.js"
    "js/understand/outputs.js"
    "js/understand/rule-strengths.js"
    "js/understand/surface.js"
    "js/understand/view.js"
}

/// The file at `path`; the empty path is the page itself.
pub(crate) fn find(path: &str) -> Option<Response> {
    let path = if path.is_empty() { "index.html" } else { path };
    let (path, text) = ASSETS.iter().find(|(known, _)| *known == path)?;
    let content_type = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Some(Response::new(content_type, text.as_bytes()))
}
