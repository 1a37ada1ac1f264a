//! What faults there are and where they can be planted.

use quote::ToTokens;
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, BinOp, Block, Expr, ExprConst, File, ImplItem, Item, ItemFn, Pat, PathArguments, ReturnType,
    Signature, Stmt, Type, UnOp, parse_quote,
};

/// A fault in a file.
pub struct Fault {
    /// Its place among those of the file.
    pub site: usize,
    /// The line of the source before any was planted.
    pub line: usize,
    /// What it does.
    pub what: String,
}

/// Goes through a file and counts the places for faults, or plants some.
pub struct Sites<'a> {
    next: usize,
    /// The numbers of those to be planted; none where they are only counted.
    chosen: Option<&'a BTreeMap<usize, u32>>,
    found: Vec<Fault>,
}

impl<'a> Sites<'a> {
    /// Every place of a file.
    pub fn all(file: &mut File) -> Vec<Fault> {
        Sites::visit(file, None)
    }

    /// Plants the faults of these places under their numbers.
    pub fn plant(file: &mut File, chosen: &'a BTreeMap<usize, u32>) -> Vec<Fault> {
        Sites::visit(file, Some(chosen))
    }

    fn visit(file: &mut File, chosen: Option<&'a BTreeMap<usize, u32>>) -> Vec<Fault> {
        let mut sites = Sites {
            next: 0,
            chosen,
            found: Vec::new(),
        };
        sites.visit_file_mut(file);
        sites.found
    }

    /// Counts a place; the number of the fault if one is to be planted there.
    fn site(&mut self, line: usize, what: String) -> Option<u32> {
        let site = self.next;
        self.next += 1;
        let number = self.chosen.map(|chosen| chosen.get(&site).copied());
        if number != Some(None) {
            self.found.push(Fault { site, line, what });
        }
        number.flatten()
    }

    /// A function that returns at once, with nothing.
    fn body(&mut self, signature: &Signature, block: &mut Block) {
        let Some(nothing) =
            nothing(&signature.output, self.next.is_multiple_of(2)).filter(|_| !block.stmts.is_empty())
        else {
            return;
        };
        let what = format!("{} returns {}", signature.ident, nothing.to_token_stream());
        if let Some(number) = self.site(signature.ident.span().start().line, what) {
            let leave: Stmt = parse_quote!(if crate::planted::is_on(#number) { return #nothing; });
            block.stmts.insert(0, leave);
        }
    }
}

impl VisitMut for Sites<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let is_left = match item {
            Item::Const(_) | Item::Static(_) | Item::Macro(_) => true,
            Item::Mod(module) => is_special(&module.attrs),
            Item::Fn(function) => function.sig.constness.is_some() || is_special(&function.attrs),
            _ => false,
        };
        if !is_left {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        visit_mut::visit_item_fn_mut(self, function);
        self.body(&function.sig, &mut function.block);
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        if let ImplItem::Fn(function) = item
            && function.sig.constness.is_none()
            && !is_special(&function.attrs)
        {
            visit_mut::visit_impl_item_fn_mut(self, function);
            self.body(&function.sig, &mut function.block);
        }
    }

    // what the compiler works out stays as it is
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_path_arguments_mut(&mut self, _: &mut PathArguments) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            Expr::Binary(binary) if !has_let(&binary.left) && !has_let(&binary.right) => {
                let Some(other) = other_than(&binary.op, self.next) else {
                    return;
                };
                let mut wrong = binary.clone();
                wrong.op = other;
                let what = format!("{} for {}", short(&wrong.op), short(binary));
                if let Some(number) = self.site(binary.op.span().start().line, what) {
                    let right = binary.clone();
                    // an assignment is a statement
                    *expression = match right.op {
                        BinOp::AddAssign(_) | BinOp::SubAssign(_) => {
                            parse_quote!({ if crate::planted::is_on(#number) { #wrong; } else { #right; } })
                        }
                        _ => parse_quote!((if crate::planted::is_on(#number) { #wrong } else { #right })),
                    };
                }
            }
            Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => {
                let what = format!("no ! in {}", short(not));
                if let Some(number) = self.site(not.op.span().start().line, what) {
                    let (inner, right) = (not.expr.clone(), not.clone());
                    *expression =
                        parse_quote!((if crate::planted::is_on(#number) { #inner } else { #right }));
                }
            }
            _ => {}
        }
    }
}

/// An operator for another.
fn other_than(operator: &BinOp, place: usize) -> Option<BinOp> {
    use BinOp::*;
    let first = place.is_multiple_of(2);
    Some(match operator {
        Eq(_) => parse_quote!(!=),
        Ne(_) => parse_quote!(==),
        Lt(_) if first => parse_quote!(<=),
        Gt(_) if first => parse_quote!(>=),
        Le(_) if first => parse_quote!(<),
        Ge(_) if first => parse_quote!(>),
        Lt(_) | Le(_) => parse_quote!(>),
        Gt(_) | Ge(_) => parse_quote!(<),
        And(_) => parse_quote!(||),
        Or(_) => parse_quote!(&&),
        Add(_) => parse_quote!(-),
        Sub(_) | Mul(_) => parse_quote!(+),
        Div(_) => parse_quote!(*),
        AddAssign(_) => parse_quote!(-=),
        SubAssign(_) => parse_quote!(+=),
        _ => return None,
    })
}

/// What a function could return without any work.
fn nothing(output: &ReturnType, truth: bool) -> Option<Expr> {
    let ReturnType::Type(_, output) = output else {
        return Some(parse_quote!(()));
    };
    let written = output.to_token_stream().to_string().replace(' ', "");
    Some(match written.as_str() {
        "bool" if truth => parse_quote!(true),
        "bool" => parse_quote!(false),
        "usize" | "u8" | "u16" | "u32" | "u64" | "i16" | "i32" | "i64" => parse_quote!(0),
        "f32" | "f64" => parse_quote!(0.0),
        "String" => parse_quote!(String::new()),
        _ if written.starts_with("Option<") => parse_quote!(None),
        _ if written.starts_with("Vec<") => parse_quote!(Vec::new()),
        _ if written.starts_with("Result<(),") => parse_quote!(Ok(())),
        _ => return None,
    })
}

/// Whether code is compiled for tests, or for some processors.
fn is_special(attributes: &[Attribute]) -> bool {
    let is_special = |attribute: &Attribute| {
        let written = attribute.to_token_stream().to_string().replace(' ', "");
        written.contains("cfg") && written.contains("test") || written.contains("target_feature")
    };
    attributes.iter().any(is_special)
}

/// Whether an operator joins patterns, which cannot stand in another expression.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// A piece of source in one short line.
fn short(piece: &impl ToTokens) -> String {
    let written = piece.to_token_stream().to_string();
    let words: Vec<&str> = written.split_whitespace().collect();
    words.join(" ").chars().take(100).collect()
}
